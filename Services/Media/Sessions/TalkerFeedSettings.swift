/// The checked request of a caller of a ``TalkerFeed``.
struct TalkerFeedSettings: Hashable, Sendable {
  /// Sixteen random bytes that name the feed in a grant of credit.
  let id: [UInt8]

  /// Chunks that may be sent at once.
  let credit: Int

  /// The length of a chunk, in milliseconds.
  let chunkMs: Int

  /// Chunks of each talker that are kept while there is no credit.
  let mostWaiting: Int

  /// - Parameters:
  ///   - chunkMs: A multiple of 20, at most 200; 0 stands for 100.
  ///   - waitingMs: Speech of each talker that is kept while there is no credit, at most
  ///     60,000; 0 stands for 10,000.
  /// - Throws: ``MediaError/malformed(field:rule:)``.
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
