import Testing

@testable import Transcription

@Suite struct SpeechTimelineTests {
  @Test func `consecutive chunks of speech continue the sample numbers`() {
    var timeline = SpeechTimeline()
    #expect(timeline.place(start: epoch, count: 1_600) == 0)
    #expect(timeline.place(start: epoch + 103, count: 1_600) == 1_600)
    #expect(timeline.milliseconds(at: 3_200) == epoch + 200)
  }

  @Test func `a pause advances the time but not the sample number`() {
    var timeline = SpeechTimeline()
    _ = timeline.place(start: epoch, count: 1_600)
    #expect(timeline.place(start: epoch + 5_000, count: 1_600) == 1_600)
    #expect(timeline.milliseconds(endingAt: 1_600) == epoch + 100)
    #expect(timeline.milliseconds(at: 1_600) == epoch + 5_000)
    #expect(timeline.milliseconds(at: 3_200) == epoch + 5_100)
  }

  @Test func `lost speech advances the time and the sample number`() {
    var timeline = SpeechTimeline()
    _ = timeline.place(start: epoch, count: 1_600)
    #expect(timeline.place(start: epoch + 400, count: 1_600, lost: 300) == 6_400)
    #expect(timeline.milliseconds(at: 6_400) == epoch + 400)
  }

  @Test func `a clock that is set back does not change sample numbers`() {
    var timeline = SpeechTimeline()
    _ = timeline.place(start: epoch, count: 1_600)
    #expect(timeline.place(start: epoch - 60_000, count: 1_600) == 1_600)
    #expect(timeline.milliseconds(at: 1_600) == epoch - 60_000)
  }

  @Test func `the timeline remembers only the latest pauses`() {
    var timeline = SpeechTimeline()
    for number in 0..<10_000 as Range<UInt64> {
      _ = timeline.place(start: epoch + number * 1_000, count: 160)
    }
    #expect(timeline.milliseconds(at: 9_999 * 160) == epoch + 9_999_000)
    #expect(timeline.milliseconds(at: 0) == epoch + (10_000 - 256) * 1_000)
  }
}
