import ArgumentParser
import Testing

@testable import CLI
@testable import Output
@testable import CarillonProgram

/// Tests of the common properties of all commands.
@Suite struct CommandHelpTests {
  /// Every command, with the words that select it. The list includes commands that only have
  /// subcommands.
  private static let commands = named(CarillonCommand.self, [])

  private static func named(
    _ command: any ParsableCommand.Type, _ words: [String]
  ) -> [(words: [String], command: any ParsableCommand.Type)] {
    [(words, command)]
      + command.configuration.subcommands.flatMap { named($0, words + [$0._commandName]) }
  }

  @Test func `every command describes itself in one sentence`() {
    for (words, command) in Self.commands {
      let abstract = command.configuration.abstract
      #expect(abstract.hasSuffix("."), "\(words)")
      #expect(abstract.first?.isUppercase == true, "\(words)")
      #expect(abstract.count <= 100, "\(words)")
    }
  }

  @Test(arguments: [
    ["up"], ["demo"], ["meeting"], ["attendee"], ["roster"], ["tiles"], ["join"], ["send"],
    ["tail"], ["promote"], ["demote"], ["transcript"], ["services"], ["drain"], ["undrain"],
    ["limits"], ["events"], ["attendance"], ["webhooks"], ["erase"], ["keys"], ["health"],
    ["metrics"], ["top"], ["trace"], ["load"], ["doctor"], ["config"], ["completion"],
  ])
  func `every documented command exists`(words: [String]) {
    #expect(Self.commands.contains { $0.words == words })
  }

  @Test func `the program has as many commands as the list of documented commands`() {
    #expect(CarillonCommand.configuration.subcommands.count == 29)
  }

  @Test(arguments: [["--version"], ["meeting", "--version"]])
  func `the version flag prints the version without an error`(words: [String]) throws {
    let error = #expect(throws: (any Error).self) { try CarillonCommand.parseAsRoot(words) }
    let exit = CarillonCommand.exitCode(for: try #require(error))
    #expect(exit == .success)
  }

  @Test(arguments: [
    ["meeting", "show", "m"], ["meeting", "list"], ["attendee", "list", "m"], ["roster", "m"],
    ["tiles", "m"], ["join", "m"], ["send", "m", "x", "--topic", "t"],
    ["tail", "m", "--topic", "t"], ["promote", "m"], ["demote", "m", "a"],
    ["transcript", "status", "m"], ["services"], ["limits"], ["events", "export"],
    ["keys", "list"],
    ["health"], ["doctor"], ["drain", "i"], ["undrain", "i"],
  ])
  func `the commands that connect to an installation have the flag --runtime-dir`(words: [String]) {
    #expect(throws: Never.self) {
      try CarillonCommand.parseAsRoot(words + ["--runtime-dir", "/r"])
    }
  }

  @Test(arguments: [
    ["up"], ["meeting", "create"], ["meeting", "list"], ["services"], ["limits"],
    ["events", "export"], ["events", "tail"], ["keys", "list"], ["health"],
    ["metrics"], ["top"], ["doctor"], ["config", "check"], ["config", "doc"],
  ])
  func `a command with a surplus argument is refused`(words: [String]) throws {
    let error = #expect(throws: (any Error).self) {
      try CarillonCommand.parseAsRoot(words + ["surplus"])
    }
    let failure = try #require(error)
    #expect(CarillonCommand.exitCode(for: failure) == .validationFailure)
    #expect(CarillonCommand.message(for: failure).contains("surplus"))
  }

  @Test(arguments: [
    ["meeting", "show"], ["meeting", "delete"], ["meeting", "messages"], ["attendee", "create"],
    ["attendee", "list"], ["attendee", "delete", "m"], ["attendee", "mute", "m"], ["roster"],
    ["tiles"], ["join"], ["promote"], ["demote", "m"], ["tail", "--topic", "t"],
    ["transcript", "start"], ["transcript", "stop"], ["transcript", "status"],
    ["transcript", "language", "m"], ["transcript", "follow"],
    ["completion"],
  ])
  func `a command without a required argument is refused, and the error names the argument`(
    words: [String]
  ) throws {
    let error = #expect(throws: (any Error).self) { try CarillonCommand.parseAsRoot(words) }
    let failure = try #require(error)
    #expect(CarillonCommand.exitCode(for: failure) == .validationFailure)
    #expect(CarillonCommand.message(for: failure).hasPrefix("Missing expected argument '"))
  }
}
