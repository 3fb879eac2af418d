import MeetingModel
import Testing

@Suite struct TraceParentTests {
  private static let example = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

  @Test func `the trace id is the second part of a traceparent`() throws {
    let parent = try #require(TraceParent(Self.example))
    #expect(parent.text == Self.example)
    #expect(parent.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
  }

  @Test func `each random traceparent is valid and has a new trace id`() {
    let (one, other) = (TraceParent.random(), TraceParent.random())
    #expect(TraceParent(one.text) == one)
    #expect(one.traceID != other.traceID)
  }

  @Test(arguments: [
    "", "00", "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
    "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
    "00-4bf92f3577b34da6a3ce929d0e0e473-600f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0g",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-\n1",
  ])
  func `text in another format is not a traceparent`(text: String) {
    #expect(TraceParent(text) == nil)
  }
}
