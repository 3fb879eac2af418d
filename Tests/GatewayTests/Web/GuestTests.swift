import MeetingModel
import Storage
import Testing

@testable import Gateway

@Suite struct GuestTests {
  @Test(arguments: [
    ("Łukasz", "lukasz"), ("花子", "guest"), ("Zoë", "zoe"), ("O'Neil", "o-neil"),
    ("José María Núñez-Ávila", "jose-maria-nunez-avila"), ("Дмитрий", "guest"),
    ("Nguyễn Thị Minh Khai", "nguyen-thi-minh-khai"), ("Straße Ærø", "strasse-aero"),
    ("محمد عبد الله", "guest"), ("🧑🏽‍🚀 Kim 🇺🇦", "kim"), ("  ada  ", "ada"), ("Ａｄａ", "ada"),
    ("aws:root", "aws-root"), ("花 Ada 子", "ada"), ("2nd Ada!", "2nd-ada"),
    (
      String(repeating: "ab ", count: 21) + "a", String(repeating: "ab-", count: 19).dropLast() + ""
    ),
  ])
  func `a guest id begins with the ASCII spelling of the name`(text: String, slug: String) throws {
    let name = try DisplayName(typed: text)
    #expect(GuestIDGenerator.slug(of: name) == slug)
    var generator = SystemRandomNumberGenerator()
    let id = try GuestIDGenerator.make(for: name, avoiding: [], using: &generator)
    #expect(id.text.hasPrefix(slug + "-") && id.text.utf8.count == slug.utf8.count + 7)
    #expect(id.text.utf8.allSatisfy { $0 < 0x80 } && id.text.utf8.count <= 64)
  }

  /// A generator that endlessly repeats the same few numbers.
  private struct Echo: RandomNumberGenerator {
    var numbers: [UInt64]
    var place = 0

    mutating func next() -> UInt64 {
      defer { place += 1 }
      return numbers[place % numbers.count]
    }
  }

  @Test func `an id that is in use is not issued again`() throws {
    let name = try DisplayName("Ada")
    let numbers = [UInt64](repeating: 1_000, count: 6) + [UInt64](repeating: .max / 2, count: 6)
    var generator = Echo(numbers: numbers)
    let first = try GuestIDGenerator.make(for: name, avoiding: [], using: &generator)
    generator = Echo(numbers: numbers)
    let second = try GuestIDGenerator.make(for: name, avoiding: [first.text], using: &generator)
    #expect(first.text == "ada-aaaaaa")
    #expect(second != first)
  }

  @Test func `guests' names are normalized before a comparison, and a duplicate gets a number`()
    async throws
  {
    try await withControl { fixture in
      let desk = LobbyAdmission()
      var ids: Set<String> = []
      for (typed, shown) in [
        ("Zo\u{EB}", "Zo\u{EB}"), (" Zoe\u{308} ", "Zo\u{EB} (2)"), ("花子", "花子"),
        ("花子", "花子 (2)"), ("花子 (2)", "花子 (2) (2)"),
      ] {
        let (_, issued, _) = try await desk.join(
          try EnteredMeetingName(typed: "tea"), as: try DisplayName(typed: typed),
          creating: "http://127.0.0.1:8080", fixture.control)
        let name = try #require(issued.attendee.displayName?.text)
        #expect(name.unicodeScalars.elementsEqual(shown.unicodeScalars))
        #expect(ids.insert(issued.attendee.externalUserID.text).inserted)
      }
    }
  }

  @Test func `a guest's name must differ from the names of the application's attendees`()
    async throws
  {
    try await withControl { fixture in
      let meeting = try await fixture.makeMeeting()
      _ = try await fixture.makeAttendee("Ada", in: meeting)
      let (_, issued, _) = try await LobbyAdmission().join(
        try EnteredMeetingName(typed: meeting.text), as: try DisplayName("Ada"), creating: nil,
        fixture.control)
      #expect(issued.attendee.displayName?.text == "Ada (2)")
      #expect(issued.attendee.externalUserID.text != "Ada")
    }
  }
}
