import Bus
import MeetingModel
import Wire
import ZeroMQ

/// One `StreamTalkers` that is open: the speech of each talker of a meeting, cut into chunks, as far as its
/// caller has given credit. Audio never waits for it: what there is no credit for is dropped when it is
/// older than the caller wants.
final class TalkerFeed {
  let id: [UInt8]
  private let stream: ServerStream<V1.TalkerAudio>
  private let chunkSamples: Int
  private let mostWaiting: Int
  private var credit: Int
  private var talkers: [Int: Talker] = [:]
  private var waiting: [Chunk] = []

  /// One talker's speech.
  private struct Talker {
    let attendee: V1.AttendeeInfo
    var sequence: UInt64 = 0

    /// Not enough for a chunk yet.
    var samples: [Int16] = []

    /// When the first of them was spoken, in milliseconds since 1970.
    var start: UInt64 = 0

    /// Chunks that wait for credit, and milliseconds that were dropped before them.
    var waiting = 0
    var lost: UInt32 = 0
  }

  private struct Chunk {
    let key: Int
    var header: V1.TalkerChunk
    let frame: Frame
  }

  /// Samples in a millisecond.
  private static let perMillisecond = 16
  private static let credits = 1...10_000

  init(_ request: V1.StreamTalkersRequest, _ stream: ServerStream<V1.TalkerAudio>)
    throws(MediaError)
  {
    guard request.streamID.count == 16 else {
      throw .malformed(field: "stream_id", rule: "16 bytes")
    }
    guard Self.credits.contains(Int(request.credit)) else {
      throw .malformed(field: "credit", rule: "1-10000")
    }
    let milliseconds = request.chunkMs == 0 ? 100 : Int(request.chunkMs)
    guard milliseconds.isMultiple(of: 20), (20...200).contains(milliseconds) else {
      throw .malformed(field: "chunk_ms", rule: "a multiple of 20, at most 200")
    }
    let kept = request.maxWaitingMs == 0 ? 10_000 : Int(clamping: request.maxWaitingMs)
    guard kept <= 60_000 else { throw .malformed(field: "max_waiting_ms", rule: "at most 60000") }
    id = request.streamID
    self.stream = stream
    chunkSamples = milliseconds * Self.perMillisecond
    mostWaiting = max(kept / milliseconds, 1)
    credit = Int(request.credit)
  }

  /// - Throws: ``MediaError/malformed(field:rule:)`` for credit that is none.
  func grant(_ more: UInt32) throws(MediaError) {
    guard Self.credits.contains(Int(more)) else {
      throw .malformed(field: "credit", rule: "1-10000")
    }
    credit = min(credit + Int(more), Self.credits.upperBound)
    flush()
  }

  /// Takes what a talker said.
  ///
  /// - Parameters:
  ///   - samples: At 16 kHz.
  ///   - start: When the first was spoken, in milliseconds since 1970.
  ///   - isLast: Whether the talker fell silent, was muted or left.
  func take(
    _ key: Int, _ attendee: V1.AttendeeInfo, _ samples: Span<Int16>, start: UInt64, isLast: Bool
  ) {
    var talker = talkers[key] ?? Talker(attendee: attendee)
    if talker.attendee != attendee { talker = Talker(attendee: attendee) }
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
      let chunks = waiting.prefix(count)
      for chunk in chunks { talkers[chunk.key]?.waiting -= 1 }
      waiting.removeFirst(count)
      credit -= count
      stream.send(V1.TalkerAudio(chunks: chunks.map(\.header)), raw: chunks.map(\.frame))
    }
  }

  /// Nothing more comes; without a status, because the meeting is over.
  func end(_ status: Status? = nil) { stream.end(status) }

  private func cut(_ count: Int, of talker: inout Talker, _ key: Int, isLast: Bool) {
    if talker.waiting >= mostWaiting { dropOldest(of: key, &talker) }
    talker.sequence += 1
    let header = V1.TalkerChunk(
      attendee: talker.attendee, sequence: talker.sequence, startMs: talker.start,
      samples: UInt32(count), lostMs: talker.lost, isLast: isLast)
    talker.lost = 0
    talker.waiting += 1
    waiting.append(Chunk(key: key, header: header, frame: Self.frame(talker.samples[..<count])))
    talker.samples.removeFirst(count)
    talker.start += UInt64(count / Self.perMillisecond)
  }

  /// What was dropped is said with the talker's next chunk that is left.
  private func dropOldest(of key: Int, _ talker: inout Talker) {
    guard let index = waiting.firstIndex(where: { $0.key == key }) else { return }
    let dropped = waiting.remove(at: index).header
    talker.waiting -= 1
    let lost = dropped.lostMs + dropped.samples / UInt32(Self.perMillisecond)
    if let next = waiting[index...].firstIndex(where: { $0.key == key }) {
      waiting[next].header.lostMs += lost
    } else {
      talker.lost += lost
    }
  }

  private static func frame(_ samples: ArraySlice<Int16>) -> Frame {
    Frame(samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] })
  }
}
