import Glibc
import Testing
import WebRTC

/// Tests with offers just below the limit of 256 KiB.
///
/// The tests compare an offer with an offer of a sixteenth of its size, in processor time of the
/// test's own thread. So neither a slow machine nor other programs change the result.
@Suite(.serialized) struct LargeOfferTests {
  private static let small = 15 << 10
  private static let large = 16 * small

  @Test(arguments: LargeOfferShape.allCases)
  func `an offer of sixteen times the size takes less than 64 times the work`(
    shape: LargeOfferShape
  ) throws {
    let (small, large) = (shape.offer(of: Self.small).text, shape.offer(of: Self.large).text)
    #expect(large.utf8.count > 8 * small.utf8.count)
    #expect(large.utf8.count <= SDPOffer.mostBytes)
    // The first negotiations of a process take longer than the later ones.
    let times = (0..<5).map { _ in processorTime { _ = negotiate(small) } }
    let short = try #require(times.min())
    var answer: String?
    let long = processorTime { answer = negotiate(large) }
    #expect(long < 64 * short, "\(shape): \(short) µs, \(long) µs")
    #expect((answer == nil) == shape.isRefused)
    // Each section of an answer has about 400 bytes of its own.
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

  @Test func `a format that a section repeats counts once`() throws {
    var offer = LargeOffer()
    offer.videoFormats = " 96 98 96"
    let codecs = try AnswerVectors.answer.negotiate(SDPOffer(offer.text)).sections[1].codecs
    #expect(codecs.map(\.payloadType) == [96, 98])
  }

  /// Does with an offer what `media` does.
  ///
  /// - Returns: The answer; `nil` if the offer is refused.
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

  /// Returns the processor time of this thread for some work, in µs.
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
