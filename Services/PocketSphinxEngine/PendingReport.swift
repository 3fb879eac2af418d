import Wire

/// What the engine has to say, in reports of a size that transcription takes: it refuses larger
/// ones whole.
struct PendingReport: Hashable, Sendable {
  /// The results that were too large for any report. Their utterances are lost.
  private(set) var oversizedResults = 0

  private let maximumBytes: Int
  private var results: [V1.EngineResult] = []
  private var progress: [V1.EngineProgress] = []
  private var failures: [V1.EngineFailure] = []
  private var credit: UInt32 = 0

  /// The most results of one report, and the same of progress and failures.
  static let maximumEntries = 1_000

  /// The most bytes of a report where transcription does not say it.
  static let defaultBytes = 256 << 10

  /// Less than this is taken for no limit: nothing else would ever be reported.
  private static let leastBytes = 8 << 10

  /// The most characters of what a failure says.
  private static let messageCharacters = 500

  /// Room for what a report has beside its entries, and for the tag and the length of an entry.
  private static let otherBytes = 1_024
  private static let entryBytes = 8

  /// - Parameter maximumBytes: The most bytes of one report; 0: transcription does not say it.
  init(maximumBytes: Int = 0) {
    self.maximumBytes = maximumBytes < Self.leastBytes ? Self.defaultBytes : maximumBytes
  }

  var isEmpty: Bool {
    results.isEmpty && progress.isEmpty && failures.isEmpty && credit == 0
  }

  /// Adds what came of work.
  mutating func add(_ outcome: DecodingOutcome) {
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

  /// Takes the next report out: results first and in order, then progress, failures and credit.
  /// Nobody is told of progress before the results that it covers.
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

  /// Bytes for entries.
  private var room: Int { maximumBytes - Self.otherBytes }

  /// A result that is too large ends its utterance without words if it is final, and is left out
  /// else.
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
