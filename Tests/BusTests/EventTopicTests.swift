import MeetingModel
import Testing

@testable import Bus

struct EventTopicTests {
  @Test func `a topic ends in a slash and is no prefix of another topic`() throws {
    let meeting = try MeetingID("5f0c6c5e-2a0b-4a51-9d3c-0e6f1a2b3c4d")
    #expect(EventTopic.roster(of: meeting).text == "roster/5f0c6c5e-2a0b-4a51-9d3c-0e6f1a2b3c4d/")
    #expect(EventTopic.beacon(of: "m-1").text == "beacon/m-1/")
    #expect(!EventTopic.beacon(of: "m-10").text.hasPrefix(EventTopic.beacon(of: "m-1").text))
    #expect(EventTopic.beacon(of: "a").isBeacon)
    #expect(!EventTopic.roster(of: meeting).isBeacon)
  }

  @Test(
    arguments: [
      ("beacon/a/", "beacon/a/"), ("beacon/a/rest/of/it", "beacon/a/"), ("//", "//"),
      ("", nil), ("beacon", nil), ("beacon/a", nil), (String(repeating: "x", count: 200), nil),
      (String(repeating: "x", count: 98) + "//", String(repeating: "x", count: 98) + "//"),
      (String(repeating: "x", count: 99) + "//", nil),
      // Swift joins a slash with a preceding U+0604 or with a following accent into one
      // `Character`. A fuzzer found this case.
      ("/pt\u{604}/io", nil), ("beacon/\u{301}a/", nil),
    ] as [(String, String?)])
  func `a topic is read up to its second slash`(bytes: String, topic: String?) {
    let bytes = Array(bytes.utf8)
    #expect(EventTopic(leading: bytes.span.bytes)?.text == topic)
  }

  @Test func `an id with a slash stops the process`() async {
    await #expect(processExitsWith: .failure) { _ = EventTopic.beacon(of: "a/b") }
  }
}
