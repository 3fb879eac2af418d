import Bus
import MeetingModel

/// One open `StreamTalkers` call: the speech of each talker of a meeting, cut into chunks.
///
/// Chunks are sent as far as the caller has granted credit. Audio never waits for credit: without
/// it, chunks older than the caller's limit are dropped.
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

    /// Samples that do not fill a chunk yet.
    var samples: [Int16] = []

    /// When the first of these samples was spoken, in milliseconds since 1970.
    var start: UInt64 = 0

    /// Chunks that wait for credit, and the milliseconds dropped before them.
    var waiting = 0
    var lost = 0
  }

  /// Samples in a millisecond.
  private static let perMillisecond = 16

  /// The credit that one call may grant, and the most that may be open.
  static let credits = 1...10_000

  /// - Parameters:
  ///   - onChunks: Called with chunks that are sent together, oldest first.
  ///   - onEnd: Called when the feed ends. There is no status if the meeting has ended.
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

  /// Adds credit.
  ///
  /// - Throws: ``MediaError/malformed(field:rule:)`` if the credit is out of range.
  func grant(_ more: Int) throws(MediaError) {
    guard Self.credits.contains(more) else {
      throw .malformed(field: "credit", rule: "1-10000")
    }
    credit = min(credit + more, Self.credits.upperBound)
    flush()
  }

  /// Takes the samples of a talker.
  ///
  /// - Parameters:
  ///   - samples: At 16 kHz.
  ///   - start: When the first sample was spoken, in milliseconds since 1970.
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

  /// Sends the waiting chunks, as far as there is credit.
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

  /// Ends the feed.
  ///
  /// Without a status, the meeting has ended.
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

  /// Drops the oldest chunk of a talker.
  ///
  /// The talker's next chunk reports the lost milliseconds.
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
