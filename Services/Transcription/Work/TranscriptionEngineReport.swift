/// An engine's report, after the validation of each entry. Positions are relative to the engine's
/// streams.
struct TranscriptionEngineReport: Sendable {
  var results: [(stream: SpeechStreamID, heard: EngineResult)] = []

  /// The invalid results.
  var rejected: [InvalidEngineResult] = []

  /// The faults of invalid entries other than results.
  var faults: [ResultFault] = []
  var progress: [(stream: SpeechStreamID, through: UInt64)] = []

  /// The streams that the engine gave up. The entry `nil` stands for all streams of the engine.
  var failures: [SpeechStreamID?] = []
  var credit = 0
}
