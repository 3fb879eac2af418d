import Foundation
import Testing

@testable import ServiceHost

@Suite struct DirectoryRulesTests {
  @Test
  func `the preferred runtime directory is the system's, then the session's, then a private one`() {
    #expect(
      DirectoryRules.runtimeCandidates(in: ["XDG_RUNTIME_DIR": "/run/user/7/"], user: 7)
        == ["/run/carillon", "/run/user/7/carillon", "/tmp/carillon-7"])
    #expect(
      DirectoryRules.runtimeCandidates(in: ["XDG_RUNTIME_DIR": "relative"], user: 7)
        == ["/run/carillon", "/tmp/carillon-7"])
    #expect(
      DirectoryRules.dataCandidates(in: ["XDG_STATE_HOME": "/state", "HOME": "/home/ada"])
        == ["/var/lib/carillon", "/state/carillon", "/home/ada/.local/state/carillon"])
  }

  @Test func `a new runtime directory is accessible only to its user`() async throws {
    try await withTemporaryDirectory { base in
      let path = try DirectoryRules.makeRuntime(
        requested: "\(base)/deep/down/", candidates: [], user: getuid())
      #expect(path == "\(base)/deep/down")
      #expect(try mode(of: path) == 0o700)
    }
  }

  @Test func `an existing runtime directory is used and keeps its mode`() async throws {
    try await withTemporaryDirectory { base in
      try setMode(0o750, of: base)
      #expect(
        try DirectoryRules.makeRuntime(requested: base, candidates: [], user: getuid()) == base)
      #expect(try mode(of: base) == 0o750)
    }
  }

  @Test(arguments: [0o770, 0o707, 0o702])
  func `a runtime directory that other users can write to is refused`(mode: Int) async throws {
    try await withTemporaryDirectory { base in
      try setMode(mode, of: base)
      let asked = #expect(throws: HostError.self) {
        try DirectoryRules.makeRuntime(requested: base, candidates: [], user: getuid())
      }
      #expect(asked?.description.contains("chmod 0700 \(base)") == true)
      #expect(throws: HostError.self) {
        try DirectoryRules.makeRuntime(
          requested: nil, candidates: [base, "\(base)-other"], user: getuid())
      }
    }
  }

  @Test func `a runtime directory of another user is refused even if it was requested`()
    async throws
  {
    try await withTemporaryDirectory { base in
      let other = getuid() + 1
      #expect(throws: HostError.self) {
        try DirectoryRules.makeRuntime(requested: base, candidates: [], user: other)
      }
      let error = #expect(throws: HostError.self) {
        try DirectoryRules.makeRuntime(requested: nil, candidates: [base], user: other)
      }
      #expect(error?.description.contains("--runtime-dir") == true)
    }
  }

  @Test func `a link or a file is refused as a runtime directory`() async throws {
    try await withTemporaryDirectory { base in
      let link = "\(base)/link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: base)
      #expect(throws: HostError.self) {
        try DirectoryRules.makeRuntime(requested: "\(link)/", candidates: [], user: getuid())
      }
      let file = "\(base)/file"
      try Data().write(to: URL(filePath: file))
      #expect(throws: HostError.self) {
        try DirectoryRules.makeRuntime(requested: file, candidates: [], user: getuid())
      }
    }
  }

  @Test func `a candidate directory that cannot be created is skipped`() async throws {
    try await withTemporaryDirectory { base in
      let path = try DirectoryRules.makeRuntime(
        requested: nil, candidates: ["\(base)/missing/one", "\(base)/two"], user: getuid())
      #expect(path == "\(base)/two")
    }
  }

  @Test func `a runtime directory too long for socket paths is refused`() throws {
    let room = 107 - "/presence-a.".utf8.count - 16 - ".sock".utf8.count
    let fits = "/" + String(repeating: "r", count: room - 1)
    try DirectoryRules.checkSocketPaths(in: fits, instance: "presence-a")
    #expect(throws: HostError.self) {
      try DirectoryRules.checkSocketPaths(in: fits + "r", instance: "presence-a")
    }
  }

  @Test func `choosing a data directory does not create the directory`() async throws {
    try await withTemporaryDirectory { base in
      let file = "\(base)/file"
      try Data().write(to: URL(filePath: file))
      let path = try DirectoryRules.chooseData(
        requested: nil, candidates: [file, "\(file)/below", "\(base)/a/b"])
      #expect(path == "\(base)/a/b")
      #expect(!FileManager.default.fileExists(atPath: path))
      #expect(
        try DirectoryRules.chooseData(requested: "/else", candidates: [base]) == "/else")
      #expect(throws: HostError.self) {
        try DirectoryRules.chooseData(requested: nil, candidates: ["\(file)/below"])
      }
    }
  }

  @Test func `the data directory is created when a service requests it`() async throws {
    try await withTemporaryDirectory { base in
      let host = exampleHost(runtimeDirectory: base, dataDirectory: "\(base)/x/y")
      #expect(try host.makeDataDirectory() == "\(base)/x/y")
      #expect(try host.makeDataDirectory() == "\(base)/x/y")
      #expect(try mode(of: "\(base)/x/y") == 0o700)
      try Data().write(to: URL(filePath: "\(base)/file"))
      let misplaced = exampleHost(runtimeDirectory: base, dataDirectory: "\(base)/file")
      #expect(throws: HostError.self) { try misplaced.makeDataDirectory() }
    }
  }

  @Test func `one process at a time can lock an instance's name`() async throws {
    try await withTemporaryDirectory { base in
      let path = "\(base)/p-a.http.lock"
      let first = try InstanceLock(at: path, instance: "p-a")
      let error = #expect(throws: HostError.self) {
        _ = try InstanceLock(at: path, instance: "p-a")
      }
      #expect(error?.description.contains("Another process runs as p-a") == true)
      #expect(error.map { ProcessExitStatus(for: $0) } == .inUse)
      first.release()
      try InstanceLock(at: path, instance: "p-a").release()
    }
  }

  @Test func `sockets are named after the instance`() {
    let host = exampleHost(runtimeDirectory: "/run/carillon", dataDirectory: "/x")
    #expect(host.ipcPath("requests") == "/run/carillon/presence-a.requests.sock")
  }

  @Test(arguments: ["", "Upper", "a/b", "seventeen-letters"])
  func `an endpoint name that is not a file name stops the process`(name: String) async {
    await #expect(processExitsWith: .failure) { [name = name as String] in
      _ = exampleHost(runtimeDirectory: "/run/carillon", dataDirectory: "/x").ipcPath(name)
    }
  }
}
