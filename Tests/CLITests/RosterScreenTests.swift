import CarillonClientCore
import Testing

@testable import CLI
@testable import MeetingViews
@testable import Output

/// Tests of the screen of `carillon join` on a terminal, in addition to ``RosterViewTests``.
@Suite struct RosterScreenTests {
  private static let ada = AttendeeName(attendeeID: "a-1", externalUserID: "ada")
  private static let ben = AttendeeName(attendeeID: "b-2", externalUserID: "ben")

  private func view(_ events: [ObservedEvent]) -> RosterView {
    var view = RosterView(meetingID: "m-1", localAttendeeID: "a-1")
    for event in events { view.apply(event, at: "10:00:00") }
    return view
  }

  private func lines(_ view: RosterView, _ columns: Int = 79, _ rows: Int = 12) -> [TerminalLine] {
    view.lines(on: TerminalSize(columns: columns, rows: rows))
  }

  @Test(
    arguments: [
      ([], "connecting, 0 attendees", .yellow), ([.started], "connected, 0 attendees", .green),
      ([.started, .reconnecting], "reconnecting, 0 attendees", .yellow),
      ([.started, .reconnecting, .reconnected], "connected, 0 attendees", .green),
      ([.attendee(.joined, ada)], "connecting, 1 attendee", .yellow),
      ([.started, .ended(status: 0, name: "ok")], "ended, 0 attendees", .red),
    ] as [([ObservedEvent], String, TerminalColors.Colour)])
  func `the title shows the state of the connection as text and as colour`(
    events: [ObservedEvent], text: String, colour: TerminalColors.Colour
  ) {
    let title = lines(view(events))[0]
    #expect(title.text == "Meeting m-1  \(text)")
    #expect(title.colour == colour)
  }

  @Test(
    arguments: [
      (.started, "connected"), (.reconnected, "connected again"),
      (.reconnecting, "the connection was lost and is tried again"),
      (.ended(status: 75, name: "audioCallEnded"), "the session ended: audioCallEnded"),
      (.attendee(.joined, ada), "ada (you) joined"), (.attendee(.left, ben), "ben left"),
      (.attendee(.dropped, ben), "ben dropped"), (.attendee(.muted, ada), "ada (you) muted"),
      (.attendee(.unmuted, ben), "ben unmuted"),
      (.messagesResumed(isComplete: false), "some messages were lost"),
      (.promotion(.promoted, ben, status: 0, name: "ok"), "promoted  b-2  ben  0  ok"),
    ] as [(ObservedEvent, String)])
  func `each event is shown as a line`(event: ObservedEvent, text: String) {
    #expect(view([event]).entries == [.init(time: "10:00:00", text: text)])
  }

  @Test func `minor events are not shown`() {
    let quiet = view([
      .messagesResumed(isComplete: true),
      .transcript(.status(name: "started", timeMs: 1, message: nil)),
    ])
    #expect(quiet.entries.isEmpty)
  }

  @Test func `a service's message is shown without an attendee's name`() {
    let notice = DisplayedDataMessage(
      topic: "notice", data: Array("closing".utf8),
      sender: AttendeeName(attendeeID: "", externalUserID: ""))
    #expect(view([.message(notice)]).entries.map(\.text) == ["(service) on notice: closing"])
  }

  @Test(
    arguments: [
      (.muted, ""), (.notSpeaking, "silent"), (.low, "#   low"), (.medium, "##  medium"),
      (.high, "### high"),
    ] as [(VolumeLevel, String)])
  func `a volume is shown as a bar and a word`(level: VolumeLevel, shown: String) {
    var view = view([.attendee(.joined, Self.ben)])
    view.apply(.volume(level, Self.ben))
    let row = lines(view)[3].text
    #expect(shown.isEmpty ? row.hasSuffix("muted") : row.hasSuffix(shown), "\(row)")
  }

  @Test(
    arguments: [(.none, "none"), (.low, "#  low"), (.high, "## high")]
      as [(SignalStrength, String)])
  func `a signal is shown as a bar and a word`(strength: SignalStrength, shown: String) {
    var view = view([.attendee(.joined, Self.ben)])
    view.apply(.signal(strength, Self.ben))
    #expect(lines(view)[3].text.hasSuffix(shown))
  }

  @Test func `the row of a muted attendee is coloured until the unmute`() {
    var view = view([.attendee(.joined, Self.ben), .attendee(.muted, Self.ben)])
    #expect(lines(view)[3].colour == .yellow)
    view.apply(.attendee(.unmuted, Self.ben), at: "")
    #expect(lines(view)[3].colour == nil)
    #expect(lines(view)[3].text == "  ben")
  }

  @Test func `for an empty roster, the view says that nobody is present yet`() {
    #expect(lines(view([.started]))[3].text == "  nobody yet")
    #expect(view([]).isMuted == false)
  }

  @Test func `an attendee who returns is shown unmuted and in the last row`() {
    let cleo = AttendeeName(attendeeID: "c-3", externalUserID: "cleo")
    let view = view([
      .attendee(.joined, Self.ben), .attendee(.muted, Self.ben), .attendee(.joined, cleo),
      .attendee(.dropped, Self.ben), .attendee(.joined, Self.ben),
    ])
    #expect(view.rows.map(\.attendee) == [cleo, Self.ben])
    #expect(view.rows.map(\.isMuted) == [false, false])
  }

  @Test func `an attendee who has not joined is not listed`() {
    let view = view([.attendee(.muted, Self.ben), .attendee(.left, Self.ben)])
    #expect(view.rows.isEmpty)
    #expect(view.entries.count == 2)
  }

  @Test(
    arguments: [
      ("", []), ("m", [.toggleMute]), ("M", [.toggleMute]), ("l", [.leave]), ("Q", [.leave]),
      ("\u{0C}", [.redraw]), ("mmq", [.toggleMute, .toggleMute, .leave]), ("é", []),
      ("m\u{1B}[Aq", [.toggleMute]),
    ] as [(String, [JoinKeystroke])])
  func `typed keys are read one by one, but keys after an escape sequence are ignored`(
    typed: String, keys: [JoinKeystroke]
  ) {
    #expect(JoinKeystroke.keys(in: Array(typed.utf8)) == keys)
  }

  @Test func `a line is coloured only if colours are requested`() {
    let line = TerminalLine(text: "hello", colour: .cyan)
    #expect(line.painted(.plain) == "hello")
    #expect(line.painted(.coloured) == "\u{1B}[36mhello\u{1B}[0m")
    #expect(TerminalLine(text: "hello").painted(.coloured) == "hello")
  }
}
