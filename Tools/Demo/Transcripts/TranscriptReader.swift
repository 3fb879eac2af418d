internal import MeetingModel
internal import MeetingViews
internal import Output

/// One client's view of a transcript, for every kind of client.
struct TranscriptReader: Sendable {
  /// A result, and its arrival time in milliseconds since 1970.
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

  /// All results so far, in order.
  var entries: [Entry] {
    let (now, nowMs) = (ContinuousClock.now, Double(WallClock.nowMs))
    return lines().compactMap { line, time in
      guard case .result(let result) = line else { return nil }
      return Entry(result: result, arrivedMs: Int64(nowMs) - Int64((now - time).milliseconds))
    }
  }

  /// The names of the statuses of the transcription, in order.
  var statuses: [String] {
    lines().compactMap { entry in
      if case .status(let name, _, _) = entry.line { name } else { nil }
    }
  }

  /// Returns the attendee's words in the final results from the given entry on.
  func text(by attendeeID: String, since mark: Int = 0) -> String {
    entries.dropFirst(mark).filter {
      !$0.result.isPartial && $0.result.speaker.attendeeID == attendeeID
    }
    .map(\.result.text).joined(separator: " ")
  }

  /// Returns the longest delay between words and the first partial result that contains these
  /// words, in ms, over the attendee's utterances.
  func firstPartialMs(by attendeeID: String) -> Int64? {
    delays(by: attendeeID) { $0.first(where: \.result.isPartial) }
  }

  /// Returns the longest delay of a final result after the end of its utterance, in ms.
  func finalMs(by attendeeID: String) -> Int64? {
    delays(by: attendeeID) { $0.first { !$0.result.isPartial } }
  }

  private func delays(by attendeeID: String, _ pick: ([Entry]) -> Entry?) -> Int64? {
    let own = entries.filter { $0.result.speaker.attendeeID == attendeeID }
    return Dictionary(grouping: own, by: \.result.id).values
      .compactMap { pick($0) }.map { $0.arrivedMs - $0.result.endMs }.max()
  }

  /// Whether no result of an utterance arrived after the final result of this utterance.
  ///
  /// A slow engine may send no partial result of a short utterance.
  var isInOrder: Bool {
    Dictionary(grouping: entries, by: \.result.id).values.allSatisfy { results in
      results.dropLast().allSatisfy(\.result.isPartial)
    }
  }
}
