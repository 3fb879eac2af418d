import ArgumentParser
import Foundation
import TestSupport
import Testing
import Trials

@testable import CLI
@testable import LocalInstallation
@testable import Output
@testable import CarillonProgram

@Suite(.timeLimit(.minutes(5))) struct CompletionTests {
  private static func path(of shell: CompletionCommand.Shell) -> String? {
    ["/bin/", "/usr/bin/", "/usr/local/bin/"].map { $0 + shell.rawValue }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// The shells on this machine. Each shell has an option to parse a script without running the
  /// script.
  private static let installed = CompletionCommand.Shell.allCases.filter { path(of: $0) != nil }

  @Test(arguments: CompletionCommand.Shell.allCases)
  func `each shell's completion script contains the commands`(
    shell: CompletionCommand.Shell
  ) {
    let script = CompletionCommand.script(for: shell)
    for word in [
      "carillon", "doctor", "attendee", "completion", "send", "tail", "messages", "demote",
    ] {
      #expect(script.contains(word))
    }
  }

  @Test(arguments: installed)
  func `each installed shell accepts its completion script`(
    shell: CompletionCommand.Shell
  ) async throws {
    let program = try #require(Self.path(of: shell))
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/script"
      try CompletionCommand.script(for: shell).write(
        toFile: path, atomically: true, encoding: .utf8)
      let flag = shell == .fish ? "--no-execute" : "-n"
      let lines = AwaitableEntryList<String>()
      let child = try await ProcessSpawner().start(
        ChildCommand(program, [flag, path], environment: [:])
      ) { lines.append($0.text) }
      #expect(await child.exit == .status(0), "\(lines.entries)")
    }
  }

  @Test func `the completion reads the directory from the command line`() {
    let words = ["carillon", "roster", "--runtime-dir", "/r"]
    #expect(IDCompletions.runtimeDirectory(in: words) == "/r")
    #expect(IDCompletions.runtimeDirectory(in: ["carillon", "--runtime-dir=/q"]) == "/q")
    #expect(IDCompletions.runtimeDirectory(in: ["carillon", "--runtime-dir"]) == nil)
  }

  @Test func `the completion offers no id without a gateway`() async throws {
    try await withTemporaryDirectory { directory in
      let words = ["carillon", "attendee", "list", "--runtime-dir", directory]
      #expect(await IDCompletions.meetings(words, 4, "").isEmpty)
      #expect(await IDCompletions.attendees(words, 4, "").isEmpty)
    }
  }
}
