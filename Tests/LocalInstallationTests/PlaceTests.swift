import Foundation
import MeetingModel
import TestSupport
import Testing

@testable import LocalInstallation
@testable import Output

/// Tests of the directories that `carillon` searches, and of the errors when `carillon` finds
/// nothing.
@Suite struct PlaceTests {
  @Test func `the runtime directory comes from the flag, the environment or the default locations`()
  {
    let environment = ["XDG_RUNTIME_DIR": "/run/user/7", "CARILLON_RUNTIME_DIR": "/c/"]
    #expect(RuntimeDirectory.places(requested: "/x", environment: environment) == ["/x"])
    #expect(RuntimeDirectory.places(requested: nil, environment: environment) == ["/c"])
    #expect(
      RuntimeDirectory.candidates(in: environment, user: 7)
        == ["/run/carillon", "/run/user/7/carillon", "/tmp/carillon-7"])
    #expect(
      RuntimeDirectory.candidates(in: [:], user: 7) == ["/run/carillon", "/tmp/carillon-7"])
  }

  @Test func `a command that finds no gateway fails as unavailable and explains how to start one`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let failure = #expect(throws: CommandFailure.self) {
        try RunningGateway.find(in: [directory])
      }
      #expect(failure?.exit == .unavailable)
      #expect(failure?.message.contains("carillon up") == true)
    }
  }

  @Test func `the Python interpreter comes from the setting, the package or PATH, in this order`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      #expect(
        PythonInterpreter.find(environment: ["CARILLON_PYTHON": "/p"], from: [directory]) == "/p")
      #expect(PythonInterpreter.find(environment: [:], from: ["/nowhere"]) == "python3")
      let folder = "\(directory)/.venv/bin"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      #expect(
        FileManager.default.createFile(
          atPath: "\(folder)/python", contents: nil, attributes: [.posixPermissions: 0o700]))
      #expect(
        PythonInterpreter.find(environment: [:], from: ["\(directory)/a/b"]) == "\(folder)/python")
    }
  }

  @Test func `a token file is private, is never overwritten and is read without white space`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/token"
      try JoinTokenFile.write("secret", to: path)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect((mode as? NSNumber)?.intValue == 0o600)
      #expect(try JoinTokenFile.read(path) == "secret")
      #expect(throws: CommandFailure.self) { try JoinTokenFile.write("other", to: path) }
      #expect(throws: CommandFailure.self) { try JoinTokenFile.read("\(directory)/nothing") }
    }
  }

  @Test(
    arguments: [
      (StatusCode.notFound, "NOT_FOUND", 1), (.unavailable, "UNAVAILABLE", 69),
      (.deadlineExceeded, "DEADLINE_EXCEEDED", 69), (.internalError, "INTERNAL", 1),
      (.invalidArgument, "INVALID_ARGUMENT", 1), (.ok, "OK", 1),
    ] as [(StatusCode, String, Int32)])
  func `a status is converted to its canonical name and an exit status`(
    code: StatusCode, name: String, exit: Int32
  ) {
    let failure = CommandFailure(Status(code, "Why."))
    #expect(failure.description == "\(name): Why.")
    #expect(failure.exit.rawValue == exit)
  }

  @Test func `a free port can be chosen`() throws {
    #expect(try FreePort.choose() > 0)
  }
}
