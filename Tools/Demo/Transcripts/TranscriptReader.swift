internal import MeetingModel
internal import MeetingViews
internal import Output

/// One client's view of what was said, whatever kind of client it is.
struct TranscriptReader: Sendable {
  /// A result, and when it arrived, in milliseconds since 1970.
  struct Entry: Sendable {
    let result: SpokenResult
    let arrivedMs: Int64
  }

  let name: String
  private let lines: @Sendable () -> [(line: TranscriptLine, time: ContinuousClock.Instant)]

  init(
    _ name: String,
    lines: @escaping @Sendable () -> [(line: TranscriptLine, time: ContinuousClock.Instant)]
  ) {
    (self.name, self.lines) = (name, lines)
  }

  /// All that has come, in order.
  var entries: [Entry] {
    let (now, nowMs) = (ContinuousClock.now, Double(WallClock.nowMs))
    return lines().compactMap { line, time in
      guard case .result(let result) = line else { return nil }
      return Entry(result: result, arrivedMs: Int64(nowMs) - Int64((now - time).milliseconds))
    }
  }

  /// What became of the transcription, by name, in order.
  var statuses: [String] {
    lines().compactMap { entry in
      if case .status(let name, _, _) = entry.line { name } else { nil }
    }
  }

  /// An attendee's final words from an entry on.
  func text(by attendeeID: String, since mark: Int = 0) -> String {
    entries.dropFirst(mark).filter {
      !$0.result.isPartial && $0.result.speaker.attendeeID == attendeeID
    }
    .map(\.result.text).joined(separator: " ")
  }

  /// How long after the words that it holds the first partial result of an attendee came, at most
  /// over its utterances; in milliseconds.
  func firstPartialMs(by attendeeID: String) -> Int64? {
    delays(by: attendeeID) { $0.first(where: \.result.isPartial) }
  }

  /// How long after the end of an utterance its final result came, at most; in milliseconds.
  func finalMs(by attendeeID: String) -> Int64? {
    delays(by: attendeeID) { $0.first { !$0.result.isPartial } }
  }

  private func delays(by attendeeID: String, _ pick: ([Entry]) -> Entry?) -> Int64? {
    let own = entries.filter { $0.result.speaker.attendeeID == attendeeID }
    return Dictionary(grouping: own, by: \.result.id).values
      .compactMap { pick($0) }.map { $0.arrivedMs - $0.result.endMs }.max()
  }

  /// Whether nothing came of an utterance behind its final result. An engine that is late may have
  /// no partial result of a short one.
  var isInOrder: Bool {
    Dictionary(grouping: entries, by: \.result.id).values.allSatisfy { results in
      results.dropLast().allSatisfy(\.result.isPartial)
    }
  }
}
