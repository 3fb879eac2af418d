import MeetingModel
import Testing

@testable import Gateway

@Suite struct EnteredMeetingNameTests {
  @Test(arguments: ["tea", "Zoë's tea", "a/b", "2026-11-29 #4"])
  func `a typed name that is an external meeting id is used unchanged`(name: String) throws {
    let typed = try EnteredMeetingName(typed: name)
    #expect(typed.text == name)
    #expect(typed.externalID.text == name)
  }

  @Test(arguments: [
    ("花子", "meeting-"), ("Łukasz's Café", "lukasz-s-cafe-"), ("שלום", "meeting-"),
    ("Stand-up 🎉", "stand-up-"), ("花", "meeting-"), ("What?", "what-"),
    (String(repeating: "ł", count: 64), String(repeating: "l", count: 47) + "-"),
  ])
  func `a typed name that is no external meeting id becomes an id with its spelling and a hash`(
    name: String, start: String
  )
    throws
  {
    let typed = try EnteredMeetingName(typed: name)
    #expect(typed.text == name)
    #expect(typed.externalID.text.hasPrefix(start))
    #expect(typed.externalID.text.utf8.count == start.utf8.count + 16)
    #expect(try EnteredMeetingName(typed: typed.externalID.text).externalID == typed.externalID)
  }

  @Test func `different names stand for different meetings`() throws {
    let ids = try ["花子", "太郎", "花", "花子 ", "花子!", "meeting"].map {
      try EnteredMeetingName(typed: $0).externalID
    }
    #expect(Set(ids).count == 5)
    #expect(ids[0] == ids[3], "Surrounding white space does not count.")
  }

  @Test func `both Unicode forms of an accented letter stand for the same meeting`() throws {
    let composed = try EnteredMeetingName(typed: "Ťe\u{301}a 花")
    let decomposed = try EnteredMeetingName(typed: "T\u{30C}\u{E9}a 花")
    #expect(composed.externalID == decomposed.externalID)
  }

  @Test(arguments: ["", " ", "a\nb", "花\u{7}子", "\u{202E}花子", String(repeating: "花", count: 65)])
  func `text that is no name is refused`(text: String) {
    #expect(throws: InvalidModelValue.self) { try EnteredMeetingName(typed: text) }
  }
}
