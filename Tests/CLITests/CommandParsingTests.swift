import ArgumentParser
import Testing

@testable import CLI

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

  @Test func `a meeting is created with what its flags say`() throws {
    let command = try parsed(
      "meeting", "create", "--external-id", "standup", "--max-attendees", "12", "--output", "json",
      as: MeetingCommand.Create.self)
    #expect(command.externalID == "standup")
    #expect(command.maxAttendees == 12)
    #expect(command.output.output == .json)
  }

  @Test func `mute --off lifts a mute`() throws {
    let muting = try parsed("attendee", "mute", "m", "a", as: AttendeeCommand.Mute.self)
    let lifting = try parsed("attendee", "mute", "m", "a", "--off", as: AttendeeCommand.Mute.self)
    #expect(!muting.off)
    #expect(lifting.off)
  }

  @Test func `join creates an attendee unless it is given one`() throws {
    let alone = try parsed("join", "m", "--user", "ada", "--mute", as: JoinCommand.self)
    #expect(alone.user == "ada")
    #expect(alone.mute)
    let given = try parsed(
      "join", "m", "--attendee", "a", "--token-file", "t", as: JoinCommand.self)
    #expect(given.attendee == "a")
  }

  @Test func `up has the documented defaults`() throws {
    let command = try parsed("up", as: UpCommand.self)
    #expect(command.restPort == 8080)
    #expect(command.gatewayTCP == nil)
    #expect(!command.allowUnsigned)
    #expect(command.drainSeconds == 10)
    #expect(command.output.output == .text)
  }

  @Test(
    arguments: [
      (["meeting", "show"], "meeting"),
      (["meeting", "create", "--max-attendees", "0"], "at least 1"),
      (["attendee", "create", "m"], "--user"),
      (["join", "m", "--attendee", "a"], "need each other"),
      (["demo", "--gateway", "ipc:///x"], "need each other"),
      (["demo", "--gateway", "ipc:///x", "--rest", "https://x"], "http://HOST:PORT"),
      (["up", "--drain-seconds=-1"], "0-3600"),
      (["up", "--rest-port", "65536"], "65536"),
      (["meeting", "list", "--output", "xml"], "xml"),
      (["completion", "tcsh"], "tcsh"),
      (["nonsense"], "nonsense"),
    ])
  func `a wrong command line leaves with 64 and says what is wrong`(
    arguments: [String], word: String
  ) throws {
    let answer = try #require(refusal(arguments))
    #expect(answer.status == 64)
    #expect(answer.message.contains(word), "\(answer.message)")
  }

  @Test func `every command that prints takes --output`() throws {
    for arguments in [
      ["up"], ["demo"], ["meeting", "create"], ["meeting", "show", "m"], ["meeting", "list"],
      ["meeting", "delete", "m"], ["attendee", "create", "m", "--user", "ada"],
      ["attendee", "list", "m"], ["attendee", "delete", "m", "a"], ["attendee", "mute", "m", "a"],
      ["roster", "m"], ["join", "m"], ["services"], ["limits"], ["doctor"], ["config", "check"],
      ["config", "doc"],
    ] {
      #expect(refusal(arguments + ["--output", "json"]) == nil)
    }
  }
}
