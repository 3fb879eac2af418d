import Testing

@testable import Demo
@testable import MeetingViews
@testable import Output

/// Tests of the journal from which the demo reads a meeting's video events.
@Suite(.timeLimit(.minutes(5))) struct DemoVideoTests {
  @Test func `the list of video sources is derived from the events`() {
    let journal = ObservedEventLog<VideoEvent>()
    let heard: [VideoEvent] = [
      .joined, .available("a"), .available("b#content"), .status(206), .available("c"),
      .unavailable("a"), .mayPublish(false), .unavailable("x"),
    ]
    for event in heard { journal.record(event) }
    #expect(journal.sources == ["b#content", "c"])
  }

  @Test func `a wait for a state finds the latest event`() async {
    let journal = ObservedEventLog<VideoEvent>()
    for id in ["a", "b"] { journal.record(.available(id)) }
    async let found = journal.first(from: 0, until: .now + .seconds(30)) { [journal] _ in
      journal.sources == ["a", "b", "c"]
    }
    journal.record(.available("c"))
    #expect(await found != nil)
    let missing = await journal.first(from: 0, until: .now) { [journal] _ in
      journal.sources.isEmpty
    }
    #expect(missing == nil)
  }
}
