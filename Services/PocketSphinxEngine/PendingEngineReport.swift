import Wire

/// The pending results, progress, failures and credit of an attachment.
///
/// The type splits these values into reports of a size that `transcription` accepts, because
/// `transcription` rejects a larger report completely.
struct PendingEngineReport: Hashable, Sendable {
  /// The number of results that were too large for any report.
  private(set) var oversizedResults = 0

  private let maximumBytes: Int
  private var results: [V1.EngineResult] = []
  private var progress: [V1.EngineProgress] = []
  private var failures: [V1.EngineFailure] = []
  private var credit: UInt32 = 0

  /// The maximum number of results in one report. The same limit applies to progress and failures.
  static let maximumEntries = 1_000

  /// The maximum size of a report, in bytes, if `transcription` does not specify a maximum.
  static let defaultBytes = 256 << 10

  /// The smallest limit that the type applies, in bytes. No result fits a smaller limit, so
  /// ``defaultBytes`` replaces a smaller limit.
  private static let leastBytes = 8 << 10

  /// The maximum length of a failure's message, in characters.
  private static let messageCharacters = 500

  /// The bytes reserved for the parts of a report other than entries, and for the tag and the
  /// length of each entry.
  private static let otherBytes = 1_024
  private static let entryBytes = 8

  /// Creates an empty report.
  ///
  /// - Parameter maximumBytes: The maximum size of one report, in bytes; 0 if `transcription` does
  ///   not specify it.
  init(maximumBytes: Int = 0) {
    self.maximumBytes = maximumBytes < Self.leastBytes ? Self.defaultBytes : maximumBytes
  }

  var isEmpty: Bool {
    results.isEmpty && progress.isEmpty && failures.isEmpty && credit == 0
  }

  /// Adds the outcome of a job.
  mutating func add(_ outcome: RecognitionOutcome) {
    results += outcome.results.compactMap { fitting($0) }
    progress.removeAll { old in outcome.progress.contains { $0.streamID == old.streamID } }
    progress += outcome.progress
    failures += outcome.failures.map { failure in
      V1.EngineFailure(
        streamID: failure.streamID,
        message: String(failure.message.prefix(Self.messageCharacters)))
    }
    credit += outcome.credit
  }

  /// Removes and returns the next report: results in order, then progress, failures and credit. A
  /// report never contains progress before the results that the progress covers.
  mutating func takeReport(of engineID: String) -> V1.ReportResultsRequest {
    var room = room
    var report = V1.ReportResultsRequest(engineID: engineID)
    report.results = Self.take(from: &results, within: &room)
    guard results.isEmpty else { return report }
    report.progress = Self.take(from: &progress, within: &room)
    guard progress.isEmpty else { return report }
    report.failures = Self.take(from: &failures, within: &room)
    guard failures.isEmpty else { return report }
    (report.credit, credit) = (credit, 0)
    return report
  }

  /// The number of a report's bytes that entries may use.
  private var room: Int { maximumBytes - Self.otherBytes }

  /// Returns a result that fits into a report. Removes the words of a final result that is too
  /// large, so that the result still ends its utterance. Drops a partial result that is too large.
  private mutating func fitting(_ result: V1.EngineResult) -> V1.EngineResult? {
    guard Self.bytes(of: result) > room else { return result }
    oversizedResults += 1
    guard result.isFinal else { return nil }
    var end = result
    (end.alternatives, end.languageIdentification) = ([], [])
    return end
  }

  private static func bytes(of entry: some WireMessage) -> Int { entry.packedCount + entryBytes }

  private static func take<Entry: WireMessage>(
    from entries: inout [Entry], within room: inout Int
  ) -> [Entry] {
    var taken: [Entry] = []
    for entry in entries.prefix(maximumEntries) {
      let bytes = bytes(of: entry)
      guard bytes <= room else { break }
      room -= bytes
      taken.append(entry)
    }
    entries.removeFirst(taken.count)
    return taken
  }
}
