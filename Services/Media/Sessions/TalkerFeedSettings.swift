/// The validated request of a ``TalkerFeed``'s caller.
struct TalkerFeedSettings: Hashable, Sendable {
  /// Sixteen random bytes that identify the feed in grants of credit.
  let id: [UInt8]

  /// The number of chunks that the feed may send before the next grant.
  let credit: Int

  /// The length of a chunk, in milliseconds.
  let chunkMs: Int

  /// The maximum number of waiting chunks of each talker.
  let mostWaiting: Int

  /// - Parameters:
  ///   - chunkMs: The length of a chunk: a multiple of 20, at most 200. 0 means 100.
  ///   - waitingMs: The maximum length of each talker's speech that waits for credit, at most
  ///     60,000. 0 means 10,000.
  /// - Throws: ``MediaError/malformed(field:rule:)`` for an invalid value.
  init(
    id: [UInt8], credit: Int, chunkMs: Int, waitingMs: Int
  ) throws(MediaError) {
    guard id.count == 16 else { throw .malformed(field: "stream_id", rule: "16 bytes") }
    guard TalkerFeed.credits.contains(credit) else {
      throw .malformed(field: "credit", rule: "1-10000")
    }
    let chunk = chunkMs == 0 ? 100 : chunkMs
    guard chunk.isMultiple(of: 20), (20...200).contains(chunk) else {
      throw .malformed(field: "chunk_ms", rule: "a multiple of 20, at most 200")
    }
    let kept = waitingMs == 0 ? 10_000 : waitingMs
    guard kept <= 60_000 else { throw .malformed(field: "max_waiting_ms", rule: "at most 60000") }
    self.id = id
    self.credit = credit
    self.chunkMs = chunk
    mostWaiting = max(kept / chunk, 1)
  }
}
