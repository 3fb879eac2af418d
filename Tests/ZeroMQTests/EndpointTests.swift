import Foundation
import Testing
import ZeroMQ

@Suite struct EndpointTests {
  @Test(arguments: [
    "ipc:///run/carillon/presence-a.sock", "tcp://127.0.0.1:7400", "tcp://[::1]:0", "tcp://*:65535",
    "tcp://gateway.example.org:1", "inproc://events",
    "tcp://127.0.0.1:7400?curve=R%24Q%26etb%3D6C4jIEQp%23Si5uKU7L%3EHeuy%3DD%5EL%7B%25iZAS",
  ])
  func `an endpoint keeps its text`(text: String) throws {
    #expect(try Endpoint(text).text == text)
    #expect("\(try Endpoint(text))" == text)
  }

  @Test(arguments: [
    "", "ipc://", "ipc://*", "ipc://@abstract", "ipc://a\0b", "tcp://", "tcp://127.0.0.1",
    "tcp://127.0.0.1:", "tcp://127.0.0.1:65536", "tcp://127.0.0.1:-1", "tcp://127.0.0.1:*",
    "tcp://:80", "tcp://::1:80", "tcp://a b:80", "tcp://a;b:80", "tcp://127.0.0.1:7400?curve=abc",
    "inproc://", "udp://127.0.0.1:1", "/run/x.sock",
  ])
  func `an invalid endpoint is refused with a reason`(text: String) {
    #expect { try Endpoint(text) } throws: { error in
      guard case ZeroMQError.invalidEndpoint(_, let reason) = error else { return false }
      return reason.hasSuffix(".")
    }
  }

  @Test(arguments: [
    "tcp://a:1?", "tcp://a:1?curve", "tcp://a:1?curve=", "tcp://a:1?curve=abc",
    "tcp://a:1?curve=\(String(repeating: "a", count: 39))",
    "tcp://a:1?curve=\(String(repeating: "a", count: 40))&x=1",
    "tcp://a:1?curve=\(String(repeating: "#", count: 40))",
    "tcp://a:1?curve=\(String(repeating: "~", count: 40))",
    "tcp://a:1?curve=\(String(repeating: "a", count: 39))%",
    "tcp://a:1?curve=\(String(repeating: "a", count: 39))%4",
    "tcp://a:1?curve=\(String(repeating: "a", count: 39))%+4",
    "tcp://a:1?curve=\(String(repeating: "a", count: 39))%00",
    "tcp://a:1?key=\(String(repeating: "a", count: 40))",
    "tcp://?curve=\(String(repeating: "a", count: 40))",
  ])
  func `an invalid suffix after the port is refused`(text: String) {
    let error = #expect(throws: ZeroMQError.self) { try Endpoint(text) }
    #expect(error?.message.contains(text) == true)
  }

  @Test func `an endpoint accepts a key with and without escapes`() throws {
    let escaped = try Endpoint("tcp://a:1?curve=" + String(repeating: "%61", count: 40))
    let plain = try Endpoint("tcp://a:1?curve=" + String(repeating: "a", count: 40))
    #expect(escaped == plain)
    #expect(plain.serverKey != nil)
    #expect(plain != (try Endpoint("tcp://a:1")))
    #expect(plain.text == "tcp://a:1?curve=" + String(repeating: "a", count: 40))
  }

  @Test(arguments: [(107, true), (108, false)])
  func `an ipc path has at most 107 bytes`(length: Int, isValid: Bool) {
    let path = "/" + String(repeating: "x", count: length - 1)
    #expect(((try? Endpoint.ipc(path)) != nil) == isValid)
  }

  @Test(arguments: [
    ("ipc:///x", true), ("inproc://x", true), ("tcp://localhost:1", true), ("tcp://[::1]:1", true),
    ("tcp://127.9.9.9:1", true), ("tcp://127.0.0.1.example.org:1", false), ("tcp://*:1", false),
    ("tcp://0.0.0.0:1", false), ("tcp://128.0.0.1:1", false), ("tcp://127.1:1", false),
  ])
  func `loopback endpoints are recognised`(text: String, isLoopback: Bool) throws {
    #expect(try Endpoint(text).isLoopback == isLoopback)
  }

  @Test func `a second lock of an ipc endpoint is refused with advice`() async throws {
    try await withSocketDirectory { directory in
      let endpoint = try Endpoint.ipc("\(directory)/a")
      let lock = try EndpointLock(endpoint)
      let error = #expect(throws: ZeroMQError.self) { try EndpointLock(endpoint) }
      guard case .endpointLocked(endpoint, "\(directory)/a.lock", _?) = try #require(error) else {
        Issue.record("Another error: \(String(describing: error))")
        return
      }
      #expect(error?.message.contains("stop it or choose another endpoint") == true)
      lock.unlock()
      lock.unlock()
      _ = try EndpointLock(endpoint)
    }
  }

  @Test(arguments: ["1 pid:[1]\n", "1\n", "", "x pid:[1]\n", "-1 pid:[1]\n"])
  func `if a process of another container holds the lock, the error names no process`(
    holder: String
  )
    async throws
  {
    try await withSocketDirectory { directory in
      let endpoint = try Endpoint.ipc("\(directory)/a")
      let lock = try EndpointLock(endpoint)
      defer { lock.unlock() }
      // A process of another container or of an earlier release leaves a lock file like this.
      let file = try FileHandle(forWritingTo: URL(filePath: "\(directory)/a.lock"))
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: Data(holder.utf8))
      let error = #expect(throws: ZeroMQError.self) { try EndpointLock(endpoint) }
      #expect(error == .endpointLocked(endpoint, lockPath: "\(directory)/a.lock", holder: nil))
      #expect(error?.message.contains("another process") == true)
    }
  }

  @Test func `the error of a refused lock names the process of the same container`() async throws {
    try await withSocketDirectory { directory in
      let endpoint = try Endpoint.ipc("\(directory)/a")
      let lock = try EndpointLock(endpoint)
      defer { lock.unlock() }
      let error = #expect(throws: ZeroMQError.self) { try EndpointLock(endpoint) }
      let own = ProcessInfo.processInfo.processIdentifier
      #expect(error == .endpointLocked(endpoint, lockPath: "\(directory)/a.lock", holder: own))
    }
  }

  @Test func `a released lock can be taken again`() async throws {
    try await withSocketDirectory { directory in
      let endpoint = try Endpoint.ipc("\(directory)/a")
      do { _ = try EndpointLock(endpoint) }
      _ = try EndpointLock(endpoint)
    }
  }

  @Test func `the release of a lock removes the socket file that libzmq left behind`() async throws
  {
    try await withSocketDirectory { directory in
      let path = "\(directory)/a"
      let endpoint = try Endpoint.ipc(path)
      let lock = try EndpointLock(endpoint)
      let context = try ZMQContext()
      do {
        let socket = try Socket(.router, in: context)
        try socket.bind(to: endpoint)
        #expect(FileManager.default.fileExists(atPath: path))
      }
      lock.unlock()
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func `the release of a lock keeps a file that is not a socket`() async throws {
    try await withSocketDirectory { directory in
      let path = "\(directory)/a"
      let lock = try EndpointLock(try Endpoint.ipc(path))
      try Data("notes".utf8).write(to: URL(filePath: path))
      lock.unlock()
      #expect(FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func `a lock in a directory that does not exist fails`() async throws {
    try await withSocketDirectory { directory in
      let endpoint = try Endpoint.ipc("\(directory)/none/a")
      let error = #expect(throws: ZeroMQError.self) { try EndpointLock(endpoint) }
      #expect(error?.message.contains("create the directory first") == true)
    }
  }
}
