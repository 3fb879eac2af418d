import Glibc
import Testing
import WebRTC

/// Tests that the work for an offer does not grow with the square of the offer's length, and that
/// the limits of offers apply.
///
/// The first test compares the processor time of an offer of 240 KiB with the time of an offer of
/// 15 KiB. The test measures only its own thread. So neither a slow machine nor other programs
/// change the result.
@Suite(.serialized) struct LargeOfferTests {
  private static let small = 15 << 10
  private static let large = 16 * small

  @Test(arguments: LargeOfferShape.allCases)
  func `an offer of 16 times the length takes less than 64 times the processor time`(
    shape: LargeOfferShape
  ) throws {
    let (small, large) = (shape.offer(of: Self.small).text, shape.offer(of: Self.large).text)
    #expect(large.utf8.count > 8 * small.utf8.count)
    #expect(large.utf8.count <= SDPOffer.mostBytes)
    // The first negotiations of a process take longer than later negotiations.
    let times = (0..<5).map { _ in processorTime { _ = negotiate(small) } }
    let short = try #require(times.min())
    var answer: String?
    let long = processorTime { answer = negotiate(large) }
    #expect(long < 64 * short, "\(shape): \(short) µs, \(long) µs")
    #expect((answer == nil) == shape.isRefused)
    // Each section of an offer adds about 400 bytes to the answer.
    #expect((answer?.utf8.count ?? 0) < 2 * large.utf8.count + 128 * 512)
  }

  @Test func `an offer of ten thousand lines is refused`() {
    var offer = LargeOffer()
    offer.audio = (0..<10_000).map { "a=x:\($0)" }
    #expect(throws: SDPOffer.Problem("The offer has too many lines.")) {
      try SDPOffer(offer.text)
    }
  }

  @Test func `an offer of more than 128 sections is refused`() {
    var offer = LargeOffer()
    offer.sections = [[String]](repeating: [], count: 127)
    #expect(throws: SDPOffer.Problem("The offer has too many sections.")) {
      try SDPOffer(offer.text)
    }
  }

  @Test func `attributes that are not ASCII have no effect`() throws {
    var offer = LargeOffer()
    offer.audio = ["a=x-title:Größe", "a=ssrc:7 cname:é", "a=ssrc:8 cname:e"]
    let section = try AnswerVectors.answer.negotiate(SDPOffer(offer.text)).sections[0]
    #expect(section.isTaken && section.sources.map(\.ssrc) == [8])
    #expect(section.offered["x-title"] == nil)
  }

  @Test func `a section that repeats a format has one codec for this format`() throws {
    var offer = LargeOffer()
    offer.videoFormats = " 96 98 96"
    let codecs = try AnswerVectors.answer.negotiate(SDPOffer(offer.text)).sections[1].codecs
    #expect(codecs.map(\.payloadType) == [96, 98])
  }

  /// Negotiates an offer twice: as the first offer of a session, and as a later offer.
  ///
  /// - Returns: The answer to the first offer; `nil` if the negotiation refuses the offer.
  private func negotiate(_ text: String) -> String? {
    do throws(SDPOffer.Problem) {
      let media = try AnswerVectors.answer.negotiate(SDPOffer(text))
      let answer = AnswerVectors.answer.text(of: media)
      var stored = media
      stored.forgetText()
      _ = try AnswerVectors.answer.negotiate(SDPOffer(text), after: stored)
      return answer
    } catch { return nil }
  }

  /// Returns the processor time, in µs, that this thread takes for the work.
  private func processorTime(of work: () -> Void) -> Int {
    let start = now()
    work()
    return max(1, now() - start)
  }

  private func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
  }
}
