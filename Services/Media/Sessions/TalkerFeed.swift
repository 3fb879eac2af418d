import Bus
import MeetingModel

/// One open `StreamTalkers` call. The feed sends the speech of each talker of a meeting to the
/// caller, in chunks.
///
/// The caller grants credit for a number of chunks, and the feed sends at most this number. Without
/// credit, chunks wait. If the number of a talker's waiting chunks exceeds the caller's limit, the
/// feed drops the oldest chunks.
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

    /// The samples that do not fill a chunk yet.
    var samples: [Int16] = []

    /// The time at which the talker spoke the first of ``samples``, in milliseconds since 1970.
    var start: UInt64 = 0

    /// The number of chunks that wait for credit. `lost` counts the dropped milliseconds before
    /// these chunks.
    var waiting = 0
    var lost = 0
  }

  /// The number of samples in a millisecond.
  private static let perMillisecond = 16

  /// The valid amounts of credit in one call. The unused credit of all calls never exceeds the
  /// upper bound.
  static let credits = 1...10_000

  /// - Parameters:
  ///   - onChunks: Called with chunks to send together, oldest first.
  ///   - onEnd: Called when the feed ends. The status is `nil` if the meeting has ended.
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

  /// Adds samples of a talker.
  ///
  /// - Parameters:
  ///   - samples: The samples at 16 kHz.
  ///   - start: The time at which the talker spoke the first sample, in milliseconds since 1970.
  ///   - isLast: Whether the talk has ended, because the talker fell silent, left or was muted.
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

  /// Sends as many waiting chunks as the credit allows.
  func flush() {
    while credit > 0, !waiting.isEmpty {
      let count = min(credit, waiting.count, RawWireFrameLimit.most)
      let chunks = Array(waiting.prefix(count))
      for chunk in chunks { talkers[chunk.talker]?.waiting -= 1 }
      waiting.removeFirst(count)
      credit -= count
      onChunks(chunks)
    }
  }

  /// Ends the feed.
  ///
  /// - Parameter status: The reason; `nil` if the meeting has ended.
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
