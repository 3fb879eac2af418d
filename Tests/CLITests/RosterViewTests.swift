import CarillonClientCore
import Testing

@testable import CLI
@testable import MeetingViews
@testable import Output

@Suite struct RosterViewTests {
  private let ada = AttendeeName(attendeeID: "a-1", externalUserID: "ada")
  private let ben = AttendeeName(attendeeID: "b-2", externalUserID: "ben")

  private func view(_ events: ObservedEvent...) -> RosterView {
    var view = RosterView(meetingID: "m-1", localAttendeeID: "a-1")
    for event in events { view.apply(event, at: "10:00:00") }
    return view
  }

  private func text(_ view: RosterView, _ columns: Int = 79, _ rows: Int = 24) -> [String] {
    view.lines(on: TerminalSize(columns: columns, rows: rows)).map(\.text)
  }

  @Test func `the roster view shows the attendees, their levels and the events`() {
    var view = view(.started, .attendee(.joined, ada), .attendee(.joined, ben))
    view.apply(.volume(.high, ada))
    view.apply(.signal(.low, ada))
    view.apply(.attendee(.muted, ben), at: "10:00:01")
    let lines = text(view, 79, 13)
    #expect(
      lines == [
        "Meeting m-1  connected, 2 attendees",
        "",
        "  NAME                                    MUTE   VOLUME       SIGNAL",
        "  ada (you)                                      ### high     #  low",
        "  ben                                     muted",
        "",
        "10:00:00  connected",
        "10:00:00  ada (you) joined",
        "10:00:00  ben joined",
        "10:00:01  ben muted",
        "", "",
        "m mute   l leave",
      ])
  }

  @Test func `a muted attendee has no volume, and an attendee who leaves is removed`() {
    var view = view(.attendee(.joined, ada), .attendee(.joined, ben))
    view.apply(.volume(.medium, ben))
    view.apply(.volume(.muted, ada))
    #expect(view.isMuted)
    #expect(text(view).last == "m unmute   l leave")
    view.apply(.attendee(.unmuted, ada), at: "")
    #expect(!view.isMuted)
    view.apply(.attendee(.dropped, ben), at: "")
    #expect(view.rows.map(\.attendee) == [ada])
  }

  @Test func `data messages are among the events and cannot control the terminal`() {
    let message = DisplayedDataMessage(
      topic: "chat", data: Array("hi\u{1B}[2J\n".utf8), sender: ben, sequence: 1)
    let view = view(
      .message(message), .throttled(message), .messagesResumed(isComplete: true),
      .messagesResumed(isComplete: false))
    #expect(
      view.entries.map(\.text) == [
        #"ben on chat: hi\u{1b}[2J\n"#, #"too many messages, not sent: hi\u{1b}[2J\n"#,
        "some messages were lost",
      ])
  }

  @Test func `an attendee who joins twice is shown once, and an unknown attendee is not shown`() {
    var view = view(.attendee(.joined, ada), .attendee(.joined, ada))
    view.apply(.signal(.high, ben))
    #expect(view.rows.count == 1)
  }

  @Test func `the view counts attendees that do not fit, and the events keep half of the screen`() {
    var view = view(.started)
    for number in 1...50 {
      let name = AttendeeName(attendeeID: "x\(number)", externalUserID: "guest-\(number)")
      view.apply(.attendee(.joined, name), at: "10:00:02")
    }
    let lines = text(view, 79, 21)
    #expect(lines.count == 21)
    #expect(lines.contains("  and 43 more"))
    #expect(lines.filter { $0.hasPrefix("10:00:02") }.count == 8)
    #expect(lines[19] == "10:00:02  guest-50 joined")
  }

  @Test(arguments: [(1, 1), (8, 2), (20, 3), (20, 5), (20, 6), (30, 9), (140, 40), (0, 0)])
  func `the roster view fills a screen of any size exactly`(columns: Int, rows: Int) {
    var view = view(.started)
    for number in 1...30 {
      let name = AttendeeName(attendeeID: "x\(number)", externalUserID: "näme-界-\(number)")
      view.apply(.attendee(.joined, name), at: "10:00:02")
    }
    let lines = text(view, columns, rows)
    #expect(lines.count == rows)
    #expect(lines.allSatisfy { TerminalText.width(of: $0) <= columns })
  }

  @Test func `a wide screen shows the ids that commands need`() {
    #expect(text(view(.attendee(.joined, ada)), 120)[3].hasSuffix("a-1"))
  }

  @Test func `a name in the roster cannot control the terminal`() {
    let evil = AttendeeName(attendeeID: "e", externalUserID: "\u{1B}[2Jeve\r\n\u{9B}1m\u{202E}x")
    let lines = text(view(.attendee(.joined, evil)))
    #expect(lines.contains { $0.contains("?[2Jeve??1m?x") || $0.contains("?[2Jeve???1m?x") })
    #expect(lines.joined().unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x9B })
  }

  @Test func `only the newest events are kept`() {
    var view = view()
    for number in 1...150 { view.note("\(number)", at: "") }
    #expect(view.entries.count == RosterView.mostEntries)
    #expect(view.entries.last?.text == "150")
  }

  @Test(arguments: [
    ("", 3, "   "), ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("界界", 3, "界…"), ("界", 3, "界 "),
    ("a", 0, ""), ("é", 2, "é "),
  ])
  func `text is shortened or padded to the given number of cells`(
    text: String, width: Int, fitted: String
  ) {
    #expect(TerminalText.fitted(text, to: width) == fitted)
  }

  @Test(
    arguments: [
      ("m", [.toggleMute]), ("lq", [.leave, .leave]), ("\u{1B}[Dm", []), ("x", []),
      ("\u{0C}M", [.redraw, .toggleMute]),
    ] as [(String, [JoinKeystroke])])
  func `known keys are read, and unknown keys and escape sequences are ignored`(
    typed: String, keys: [JoinKeystroke]
  ) {
    #expect(JoinKeystroke.keys(in: Array(typed.utf8)) == keys)
  }
}
