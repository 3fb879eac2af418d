/// An engine's report, validated entry by entry; positions are relative to its streams.
struct EngineReport: Sendable {
  var results: [(stream: StreamID, heard: HeardResult)] = []

  /// Invalid results.
  var rejected: [RejectedResult] = []

  /// The faults of invalid entries that are no results.
  var faults: [ResultFault] = []
  var progress: [(stream: StreamID, through: UInt64)] = []

  /// The streams that the engine gave up; `nil` for all.
  var failures: [StreamID?] = []
  var credit = 0
}
