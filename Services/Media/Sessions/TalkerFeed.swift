import Bus
import MeetingModel

/// One `StreamTalkers` that is open: the speech of each talker of a meeting, cut into chunks, as
/// far as its caller has given credit. Audio never waits for it: what there is no credit for is
/// dropped when it is older than the caller wants.
final class TalkerFeed {
  let id: [UInt8]
  private let onChunks: ([TalkerChunk]) -> Void
  private let onEnd: (Status?) -> Void
  private let chunkSamples: Int
  private let mostWaiting: Int
  private var credit: Int
  private var talkers: [Int: Talker] = [:]
  private var waiting: [TalkerChunk] = []

  /// One talker's speech.
  private struct Talker {
    let speaker: ParticipantIdentity
    var sequence: UInt64 = 0

    /// Not enough for a chunk yet.
    var samples: [Int16] = []

    /// When the first of them was spoken, in milliseconds since 1970.
    var start: UInt64 = 0

    /// Chunks that wait for credit, and milliseconds that were dropped before them.
    var waiting = 0
    var lost = 0
  }

  /// Samples in a millisecond.
  private static let perMillisecond = 16

  /// What may be granted at once, and be open at most.
  static let credits = 1...10_000

  /// - Parameters:
  ///   - onChunks: Called with chunks that leave together, oldest first.
  ///   - onEnd: Called when nothing more comes; without a status, because the meeting is over.
  init(
    _ settings: TalkerFeedSettings, onChunks: @escaping ([TalkerChunk]) -> Void,
    onEnd: @escaping (Status?) -> Void
  ) {
    (self.onChunks, self.onEnd) = (onChunks, onEnd)
    id = settings.id
    chunkSamples = settings.chunkMs * Self.perMillisecond
    mostWaiting = settings.mostWaiting
    credit = settings.credit
  }

  /// - Throws: ``MediaError/malformed(field:rule:)`` for credit that is none.
  func grant(_ more: Int) throws(MediaError) {
    guard Self.credits.contains(more) else {
      throw .malformed(field: "credit", rule: "1-10000")
    }
    credit = min(credit + more, Self.credits.upperBound)
    flush()
  }

  /// Takes what a talker said.
  ///
  /// - Parameters:
  ///   - samples: At 16 kHz.
  ///   - start: When the first was spoken, in milliseconds since 1970.
  ///   - isLast: Whether the talker fell silent, was muted or left.
  func take(
    _ key: Int, _ speaker: ParticipantIdentity, _ samples: Span<Int16>, start: UInt64, isLast: Bool
  ) {
    var talker = talkers[key] ?? Talker(speaker: speaker)
    if talker.speaker != speaker { talker = Talker(speaker: speaker) }
    if talker.samples.isEmpty { talker.start = start }
    for index in samples.indices { talker.samples.append(samples[index]) }
    while talker.samples.count >= chunkSamples {
      cut(chunkSamples, of: &talker, key, isLast: false)
    }
    if isLast { cut(talker.samples.count, of: &talker, key, isLast: true) }
    talkers[key] = talker
  }

  /// Sends what there is credit for.
  func flush() {
    while credit > 0, !waiting.isEmpty {
      let count = min(credit, waiting.count, RawFrames.most)
      let chunks = Array(waiting.prefix(count))
      for chunk in chunks { talkers[chunk.talker]?.waiting -= 1 }
      waiting.removeFirst(count)
      credit -= count
      onChunks(chunks)
    }
  }

  /// Nothing more comes; without a status, because the meeting is over.
  func end(_ status: Status? = nil) { onEnd(status) }

  private func cut(_ count: Int, of talker: inout Talker, _ key: Int, isLast: Bool) {
    if talker.waiting >= mostWaiting { dropOldest(of: key, &talker) }
    talker.sequence += 1
    waiting.append(
      TalkerChunk(
        talker: key, speaker: talker.speaker, sequence: talker.sequence, start: talker.start,
        samples: Array(talker.samples[..<count]), lost: talker.lost, isLast: isLast))
    talker.lost = 0
    talker.waiting += 1
    talker.samples.removeFirst(count)
    talker.start += UInt64(count / Self.perMillisecond)
  }

  /// What was dropped is said with the talker's next chunk that is left.
  private func dropOldest(of key: Int, _ talker: inout Talker) {
    guard let index = waiting.firstIndex(where: { $0.talker == key }) else { return }
    let dropped = waiting.remove(at: index)
    talker.waiting -= 1
    let lost = dropped.lost + dropped.samples.count / Self.perMillisecond
    if let next = waiting[index...].firstIndex(where: { $0.talker == key }) {
      waiting[next].lost += lost
    } else {
      talker.lost += lost
    }
  }
}
