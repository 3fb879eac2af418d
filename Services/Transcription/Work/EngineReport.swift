/// What an engine says, checked; places are in its streams.
struct EngineReport: Sendable {
  var results: [(stream: StreamID, heard: HeardResult)] = []
  var progress: [(stream: StreamID, through: UInt64)] = []

  /// Streams that it gave up; `nil`: all.
  var failures: [StreamID?] = []
  var credit = 0
}
