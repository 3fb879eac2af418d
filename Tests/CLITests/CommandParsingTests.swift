import ArgumentParser
import Testing

@testable import CLI
@testable import Output
@testable import CarillonProgram

@Suite struct CommandParsingTests {
  private func parsed<Command>(_ arguments: String..., as type: Command.Type) throws -> Command {
    try #require(try CarillonCommand.parseAsRoot(arguments) as? Command)
  }

  private struct Refusal: Equatable {
    let message: String
    let status: Int32
  }

  private func refusal(_ arguments: [String]) -> Refusal? {
    do {
      _ = try CarillonCommand.parseAsRoot(arguments)
      return nil
    } catch {
      return Refusal(
        message: CarillonCommand.fullMessage(for: error),
        status: CarillonCommand.exitCode(for: error).rawValue)
    }
  }

  @Test func `the command carillon meeting create reads its flags`() throws {
    let command = try parsed(
      "meeting", "create", "--external-id", "standup", "--max-attendees", "12", "--output", "json",
      as: MeetingCommand.Create.self)
    #expect(command.externalID == "standup")
    #expect(command.maxAttendees == 12)
    #expect(command.gateway.output.output == .json)
  }

  @Test func `carillon tiles follows changes unless --once is given`() throws {
    let live = try parsed("tiles", "m", as: TilesCommand.self)
    #expect(!live.once && !live.plain)
    let once = try parsed("tiles", "m", "--once", "--output", "json", as: TilesCommand.self)
    #expect(once.once && once.output.output == .json)
    #expect(refusal(["tiles"])?.status == 64)
  }

  @Test func `the command carillon attendee mute --off lifts a mute`() throws {
    let muting = try parsed("attendee", "mute", "m", "a", as: AttendeeCommand.Mute.self)
    let lifting = try parsed("attendee", "mute", "m", "a", "--off", as: AttendeeCommand.Mute.self)
    #expect(!muting.off)
    #expect(lifting.off)
  }

  @Test func `carillon join creates an attendee unless an attendee is given`() throws {
    let alone = try parsed("join", "m", "--user", "ada", "--mute", as: JoinCommand.self)
    #expect(alone.attendee.user == "ada")
    #expect(alone.mute)
    let given = try parsed(
      "join", "m", "--attendee", "a", "--token-file", "t", as: JoinCommand.self)
    #expect(given.attendee.attendee == "a")
  }

  @Test func `carillon join uses video only on request`() throws {
    let plain = try parsed("join", "m", as: JoinCommand.self)
    #expect(!plain.video.isUsed)
    let camera = try parsed("join", "m", "--camera", "pattern", as: JoinCommand.self)
    #expect(camera.video.isUsed && !camera.video.isReceiving)
    let viewer = try parsed("join", "m", "--view", "--record-h264", "d", as: JoinCommand.self)
    #expect(viewer.video.isReceiving && viewer.video.recordH264 == "d")
  }

  @Test func `the flag --user and the flag --as each set the attendee`() throws {
    let sender = try parsed("send", "m", "hi", "--topic", "t", "--as", "ada", as: SendCommand.self)
    #expect(sender.attendee.user == "ada")
    let listener = try parsed("tail", "m", "--topic", "t", "--user", "ben", as: TailCommand.self)
    #expect(listener.attendee.user == "ben")
  }

  @Test func `carillon send takes the message from one source only`() throws {
    let common = ["send", "m", "--topic", "chat"]
    let cases: [([String], MessagePayloadSource)] = [
      (["hello"], .text("hello")), (["-"], .standardInput), (["--", "-n"], .text("-n")),
      ([""], .text("")), (["--json", "{}"], .json("{}")), (["--file", "/f"], .file("/f")),
    ]
    for (arguments, payload) in cases {
      let command = try #require(
        try CarillonCommand.parseAsRoot(common + arguments) as? SendCommand)
      #expect(command.payload == payload)
      #expect(command.attendee.meeting == "m")
    }
  }

  @Test
  func `carillon send and carillon tail read the flags for recipients, lifetime, topics and count`()
    throws
  {
    let (ada, ben) = (
      "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
    )
    let sending = try parsed(
      "send", "m", "--topic", "chat", "hi", "--to", ada, "--to", ben, "--lifetime-ms", "60000",
      as: SendCommand.self)
    #expect(sending.to == [ada, ben])
    #expect(sending.lifetimeMs == 60_000)
    let tailing = try parsed(
      "tail", "m", "--topic", "chat", "--topic", "votes", "--count", "3", as: TailCommand.self)
    #expect(tailing.topic == ["chat", "votes"])
    #expect(tailing.count == 3)
    let joining = try parsed("join", "m", "--topic", "chat", as: JoinCommand.self)
    #expect(joining.topic == ["chat"])
  }

  @Test func `carillon up has the documented defaults`() throws {
    let command = try parsed("up", as: UpCommand.self)
    // The program chooses the settings that the flags omit: see `UpEnvironment`.
    #expect(command.restPort == nil)
    #expect(command.gatewayTCP == nil)
    #expect(!command.allowUnsigned)
    #expect(command.drainSeconds == nil)
    #expect(command.output.output == .text)
  }

  @Test(
    arguments: [
      (["meeting", "show"], "meeting"),
      (["meeting", "create", "--max-attendees", "0"], "at least 1"),
      (["attendee", "create", "m"], "--user"),
      (["join", "m", "--attendee", "a"], "need each other"),
      (["send", "m", "hi", "--topic", "t", "--attendee", "a"], "need each other"),
      (["send", "m", "hi"], "--topic"),
      (["send", "m", "--topic", "t"], "Give one of"),
      (["send", "m", "hi", "--topic", "t", "--json", "{}"], "Give one of"),
      (["send", "m", "--topic", "t", "--file", "f", "--json", "{}"], "Give one of"),
      (["send", "m", "hi", "--topic", "a b"], "1-36 letters"),
      (["send", "m", "hi", "--topic", "aws:chime:x"], "1-36 letters"),
      (["send", "m", "hi", "--topic", String(repeating: "t", count: 37)], "1-36 letters"),
      (["send", "m", "hi", "--topic", "t", "--lifetime-ms=-1"], "not be negative"),
      (["send", "m", "hi", "--topic", "t", "--lifetime-ms", "2147483648"], "2147483648"),
      (
        ["send", "m", "hi", "--topic", "t", "--to", "ada"], "--to must be an attendee's id; got ada"
      ),
      (["tail", "m"], "--topic"),
      (["tail", "m", "--topic", "t", "--count", "0"], "at least 1"),
      (["promote", "m", "--guest", "g"], "need each other"),
      (["promote", "m", "--for", "0"], "more than 0"),
      (["promote", "m", "--for", "nan"], "more than 0"),
      (["demo", "--gateway", "ipc:///x"], "need each other"),
      (["demo", "--gateway", "ipc:///x", "--rest", "https://x"], "http://HOST:PORT"),
      (["up", "--drain-seconds=-1"], "0-3600"),
      (["up", "--rest-port", "65536"], "65536"),
      (["meeting", "list", "--output", "xml"], "xml"),
      (["completion", "tcsh"], "tcsh"),
      (["nonsense"], "nonsense"),
    ])
  func `for a wrong command line, the program exits with 64 and reports the error`(
    arguments: [String], word: String
  ) throws {
    let answer = try #require(refusal(arguments))
    #expect(answer.status == 64)
    #expect(answer.message.contains(word), "\(answer.message)")
  }

  @Test func `all commands with output have the flag --output`() throws {
    for arguments in [
      ["up"], ["demo"], ["meeting", "create"], ["meeting", "show", "m"], ["meeting", "list"],
      ["meeting", "delete", "m"], ["meeting", "messages", "m"],
      ["attendee", "create", "m", "--user", "ada"],
      ["attendee", "list", "m"], ["attendee", "delete", "m", "a"], ["attendee", "mute", "m", "a"],
      ["roster", "m"], ["join", "m"], ["send", "m", "hi", "--topic", "t"],
      ["tail", "m", "--topic", "t"], ["promote", "m"], ["services"], ["limits"], ["doctor"],
      ["config", "check"],
      ["config", "doc"],
    ] {
      #expect(refusal(arguments + ["--output", "json"]) == nil)
    }
  }
}
