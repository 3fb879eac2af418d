/// What an engine says, checked entry by entry; places are in its streams.
struct EngineReport: Sendable {
  var results: [(stream: StreamID, heard: HeardResult)] = []

  /// Results that cannot be what they say.
  var rejected: [RejectedResult] = []

  /// What is wrong with entries that are no results.
  var faults: [ResultFault] = []
  var progress: [(stream: StreamID, through: UInt64)] = []

  /// Streams that it gave up; `nil`: all.
  var failures: [StreamID?] = []
  var credit = 0
}
