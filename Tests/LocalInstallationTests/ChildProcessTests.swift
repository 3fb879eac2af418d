import Foundation
import TestSupport
import Testing
import Trials

@testable import LocalInstallation
@testable import Output

@Suite(.timeLimit(.minutes(5))) struct ChildProcessTests {
  private let spawner = ProcessSpawner()
  private let environment = ["PATH": "/usr/bin:/bin"]

  private func shell(_ script: String) -> ChildCommand {
    ChildCommand("/bin/sh", ["-c", script], environment: environment)
  }

  @Test func `the exit status of a killed child contains the signal`() async throws {
    let child = try await spawner.start(
      ChildCommand("/bin/sleep", ["60"], environment: environment)
    ) { _ in }
    #expect(child.isRunning)
    child.signal(SIGKILL)
    #expect(await child.exit == .signal(SIGKILL))
    #expect(!child.isRunning)
    child.signal(SIGTERM)
    #expect(await child.exit == .signal(SIGKILL))
  }

  @Test
  func `all lines of a child arrive, each with its stream, before the child's end is reported`()
    async throws
  {
    let lines = AwaitableEntryList<String>()
    let child = try await spawner.start(
      shell("echo one; echo two >&2; printf three; exit 3")
    ) { line in lines.append("\(line.stream) \(line.text)") }
    #expect(await child.exit == .status(3))
    #expect(lines.entries.sorted() == ["error two", "output one", "output three"])
  }

  @Test func `a child gets only the environment of its command`() async throws {
    let lines = AwaitableEntryList<String>()
    let command = ChildCommand(
      "/usr/bin/env", environment: ["PATH": "/bin", "CARILLON_LOG_LEVEL": "debug"])
    let child = try await spawner.start(command) { lines.append($0.text) }
    #expect(await child.exit == .status(0))
    #expect(lines.entries.sorted() == ["CARILLON_LOG_LEVEL=debug", "PATH=/bin"])
  }

  @Test func `a child reads lines from its standard input`() async throws {
    let lines = AwaitableEntryList<String>()
    let child = try await spawner.start(
      shell("read first; read second; echo $second $first"), takesInput: true
    ) { lines.append($0.text) }
    child.write(line: "mute")
    child.write(line: "leave")
    #expect(await child.exit == .status(0))
    #expect(lines.entries == ["leave mute"])
  }

  @Test func `a signal reaches a child's own children`() async throws {
    let lines = AwaitableEntryList<String>()
    let child = try await spawner.start(
      shell("(trap 'echo inner; exit' TERM; echo ready; while :; do sleep 0.05; done) & wait")
    ) { lines.append($0.text) }
    _ = try await lines.wait(for: "what it writes") { $0.contains("ready") }
    child.signal(SIGTERM)
    #expect(await child.exit == .signal(SIGTERM))
  }

  @Test func `a child starts with the default signal handlers`()
    async throws
  {
    signal(SIGUSR1, SIG_IGN)
    let child = try await spawner.start(shell("kill -USR1 $$; exit 0")) { _ in }
    #expect(await child.exit == .signal(SIGUSR1))
  }

  @Test func `a child leads its own process group`() async throws {
    let child = try await spawner.start(
      ChildCommand("/bin/sleep", ["60"], environment: environment)
    ) { _ in }
    #expect(getpgid(child.processID) == child.processID)
    child.signal(SIGKILL)
    _ = await child.exit
  }

  @Test func `a child dies with the thread that started it`()
    async throws
  {
    let environment = environment
    let command = ChildCommand(
      "/bin/sh", ["-c", "echo up; exec sleep 60"], environment: environment)
    let child = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        // The child requests the parent-death signal before it runs the program. If the thread has
        // ended before this request, the child gets no signal.
        let isUp = DispatchSemaphore(value: 0)
        let start = Result {
          try ChildProcess(starting: command, takesInput: false) { _ in isUp.signal() }
        }
        continuation.resume(with: start)
        if case .success = start { isUp.wait() }
      }
    }
    #expect(await child.exit == .signal(SIGKILL))
  }

  @Test func `the exit status for a missing program is 127`() async throws {
    let child = try await spawner.start(
      ChildCommand("/nowhere/at/all", environment: environment)
    ) { _ in }
    #expect(await child.exit == .status(127))
  }

  @Test(arguments: [(0, false), (64, true), (70, false), (78, true)] as [(Int32, Bool)])
  func `a child that exits because of wrong flags or settings needs an action by the operator`(
    status: Int32, needs: Bool
  ) {
    #expect(ChildExit(waitStatus: status << 8) == .status(status))
    #expect(ChildExit.status(status).needsOperator == needs)
  }
}
