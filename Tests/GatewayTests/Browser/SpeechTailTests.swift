import Testing

@testable import Gateway

@Suite struct SpeechTailTests {
  @Test func `a speaker who falls silent is listed until the speaker's score falls below 0.01`() {
    var tail = RecentSpeakers()
    #expect(tail.isOver)
    tail.hear(["a"])
    var (steps, score) = (0, 1.0)
    while !tail.isOver {
      tail.advance(speaking: [])
      (steps, score) = (steps + 1, score * 0.9)
    }
    #expect(score < 0.01 && steps < 50)
  }

  @Test func `a speaker's new utterance restarts only this speaker's speech tail`() {
    var tail = RecentSpeakers()
    tail.hear(["a", "b"])
    for _ in 0..<100 { tail.advance(speaking: ["a"]) }
    #expect(Set(tail.attendees) == ["a"])
    tail.advance(speaking: ["b"])
    #expect(Set(tail.attendees) == ["a", "b"])
    for _ in 0..<100 { tail.advance(speaking: []) }
    #expect(tail.isOver)
  }
}
