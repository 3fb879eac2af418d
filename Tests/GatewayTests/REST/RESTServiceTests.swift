import MeetingModel
import ServiceHost
import ServiceLifecycle
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct RESTServiceTests {
  /// Runs a service on a free port, passes the service to the test, and stops the service.
  private func withService(
    timeout: Duration = .seconds(30), maxConnections: Int = 4_096, perAddress: Int = 1_024,
    _ body: (ControlFixture, RESTHandler, Int) async throws -> Void
  ) async throws {
    try await withControl { fixture in
      var settings = try RESTSettings(port: 0, allowsUnsigned: true)
      settings.timeout = timeout
      settings.maxConnections = maxConnections
      settings.maxConnectionsPerAddress = perAddress
      let face = fixture.face(UnsignedAuthenticator())
      let (ports, listening) = AsyncStream.makeStream(of: Int.self)
      let service = RESTService(
        settings: settings, face: face, logger: fixture.control.logger,
        onListening: { listening.yield($0) })
      let group = ServiceGroup(services: [service], logger: fixture.control.logger)
      try await withThrowingTaskGroup { tasks in
        tasks.addTask { try await group.run() }
        let port = try #require(await ports.first { _ in true })
        try await body(fixture, face, port)
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
      }
    }
  }

  private static func post(_ body: String, _ headers: String = "") -> String {
    "POST /meetings HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nContent-Type: application/json\r\n"
      + "\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  private static let health = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test func `a connection serves several requests in turn, even after errors`() async throws {
    try await withService { fixture, face, port in
      let connection = try RawConnection(port: port)
      connection.send(Self.post(Bodies.meeting()))
      let created = try await connection.readReply()
      #expect(created.status == 200)
      #expect(created.head.contains("content-type: application/json\r\n"))
      #expect(created.head.contains("x-amzn-requestid: "))
      #expect(created.head.contains(" gmt\r\n"))
      #expect(created.body.contains("ws://127.0.0.1:8080/control/"))

      connection.send("GET /meetings/nonsense HTTP/1.1\r\nHost: a\r\n\r\n")
      let error = try await connection.readReply()
      #expect(error.status == 400)
      #expect(error.head.contains("x-amzn-errortype: badrequestexception\r\n"))

      connection.send(Self.post("{}", "Content-Encoding: identity\r\n"))
      #expect(try await connection.readReply().status == 400)

      let id = try #require(try await fixture.meetings().first).text
      connection.send("DELETE /meetings/\(id) HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
      let deleted = try await connection.readReply()
      #expect(deleted.status == 204)
      #expect(!deleted.head.contains("content-length"))
      #expect(!deleted.head.contains("content-type"))

      connection.send("HEAD /meetings/\(id) HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try await connection.readReply(hasBody: false).status == 404)
      connection.send(Self.health)
      #expect(try await connection.readReply().status == 200)
    }
  }

  @Test func `HEAD on the health check gets the headers of GET without a body`() async throws {
    try await withService { _, _, port in
      let connection = try RawConnection(port: port)
      connection.send(Self.health)
      let told = try await connection.readReply()
      connection.send("HEAD /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
      let reply = try await connection.readReply(hasBody: false)
      #expect(reply.status == told.status)
      #expect(reply.head.contains("content-length: \(told.body.utf8.count)\r\n"))
      // The answer has no body, so the next answer follows immediately.
      connection.send(Self.health)
      #expect(try await connection.readReply().body == told.body)
    }
  }

  @Test func `raw UTF-8 and chunked bodies are read`() async throws {
    try await withService { _, face, port in
      let connection = try RawConnection(port: port)
      let body = Bodies.meeting().replacingStandup(with: "Früh")
      connection.send(
        "POST /meetings HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
          + "Transfer-Encoding: chunked\r\n\r\n"
          + "\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n0\r\n\r\n")
      let reply = try await connection.readReply()
      #expect(reply.status == 200)
      #expect(reply.body.contains("Früh"))
    }
  }

  @Test func `a client that expects 100-continue gets this response`() async throws {
    try await withService { _, face, port in
      let connection = try RawConnection(port: port)
      let body = Bodies.meeting()
      connection.send(
        "POST /meetings HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
          + "Content-Type: application/json\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n")
      #expect(try await connection.readReply().status == 100)
      connection.send(body)
      #expect(try await connection.readReply().status == 200)
    }
  }

  @Test(arguments: ["close", "Close"])
  func `a connection is closed on the client's request`(spelling: String) async throws {
    try await withService { _, face, port in
      let connection = try RawConnection(port: port)
      connection.send("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: \(spelling)\r\n\r\n")
      let all = try #require(await connection.readToEnd())
      #expect(all.hasPrefix("HTTP/1.1 200"))
      #expect(all.lowercased().contains("connection: close"))
    }
  }

  // MARK: Too large

  @Test func `an oversized body is refused before it arrives`() async throws {
    try await withService { _, face, port in
      for length in ["1048577", "99999999999999999999"] {
        let connection = try RawConnection(port: port)
        connection.send(
          "POST /meetings HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
            + "Content-Type: application/json\r\n"
            + "Content-Length: \(length)\r\n\r\n")
        let reply = try #require(await connection.readToEnd()).lowercased()
        #expect(reply.hasPrefix("http/1.1 413") || reply.hasPrefix("http/1.1 400") || reply.isEmpty)
        if length == "1048577" {
          #expect(reply.contains("x-amzn-errortype: requestentitytoolargeexception\r\n"))
          #expect(reply.contains("connection: close\r\n"))
          #expect(reply.contains("\"requestid\":"))
        }
      }
      #expect(face.metrics.oversized.value >= 1)
    }
  }

  @Test func `a client that sends an oversized body without waiting still gets the answer`()
    async throws
  {
    try await withService { _, face, port in
      for head in [
        "Content-Length: 3000000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n2dc6c0\r\n",
      ] {
        let connection = try RawConnection(port: port)
        connection.send("POST /meetings HTTP/1.1\r\nHost: a\r\n\(head)")
        async let reply = connection.readToEnd()
        connection.send([UInt8](repeating: 0x20, count: 3_000_000))
        #expect(try #require(await reply).hasPrefix("HTTP/1.1 413"))
      }
    }
  }

  @Test func `a body of exactly the limit is read`() async throws {
    try await withService { _, face, port in
      let connection = try RawConnection(port: port)
      let body = Bodies.meeting()
      connection.send(
        Self.post(body + String(repeating: " ", count: 1_048_576 - body.utf8.count)))
      #expect(try await connection.readReply().status == 200)
    }
  }

  // MARK: Input that is not HTTP

  @Test(arguments: [
    "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\r\n\r\n", "nonsense\r\n\r\n", "GET\r\n\r\n",
    "GET / HTTP/9.9\r\n\r\n", "\r\n\r\n\0\0\0\0", "POST /meetings HTTP/1.1\r\nHost a\r\n\r\n",
    "POST /meetings HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
    "POST /meetings HTTP/1.1\r\nHost: a\r\nContent-Length: ten\r\n\r\n",
    "POST /meetings HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n",
    "POST /meetings HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n1234",
    "POST /meetings HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n",
    "POST /meetings HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "GET /\(String(repeating: "a", count: 100_000)) HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 100_000))\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: a\r\n", count: 10_000))\r\n",
  ])
  func `a client that sends invalid HTTP is refused or disconnected, and other clients are served`(
    bytes: String
  )
    async throws
  {
    try await withService(timeout: .seconds(1)) { fixture, face, port in
      let connection = try RawConnection(port: port)
      connection.send(bytes)
      let reply = try #require(await connection.readToEnd())
      #expect(reply.isEmpty || reply.hasPrefix("HTTP/1.1 4"))
      let meetings = try await fixture.meetings()
      #expect(meetings.isEmpty)
      let witness = try RawConnection(port: port)
      witness.send(Self.health)
      #expect(try await witness.readReply().status == 200)
    }
  }

  @Test func `a request line of 8 KiB is accepted`() async throws {
    try await withService { _, face, port in
      let connection = try RawConnection(port: port)
      let long = String(repeating: "a", count: 8_192)
      connection.send("GET /healthz?\(long) HTTP/1.1\r\nHost: a\r\nX: \(long)\r\n\r\n")
      #expect(try await connection.readReply().status == 200)
    }
  }

  @Test(arguments: [
    "/../../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/etc/passwd", "file:///etc/passwd",
    "http://a/etc/passwd", "//etc/passwd", "*",
  ])
  func `a request for a file on the gateway's host is refused`(target: String) async throws {
    try await withService { _, face, port in
      let connection = try RawConnection(port: port)
      connection.send("GET \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      let reply = try #require(await connection.readToEnd())
      #expect(reply.hasPrefix("HTTP/1.1 4"))
    }
  }

  // MARK: Unfinished requests

  @Test(arguments: [
    "", "POST /mee", "POST /meetings HTTP/1.1\r\nHost: a\r\n",
    "POST /meetings HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{",
    "POST /meetings HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
    health,
  ])
  func `a connection that goes silent is closed after the timeout`(bytes: String) async throws {
    try await withService(timeout: .milliseconds(200)) { _, face, port in
      let connection = try RawConnection(port: port)
      connection.send(bytes)
      #expect(await connection.readToEnd() != nil)
    }
  }

  @Test func `five hundred silent connections do not delay other clients`() async throws {
    // Beside the other tests, this test can take longer than the usual 30 s after which the service
    // closes a silent connection.
    try await withService(timeout: .seconds(600)) { _, face, port in
      var silent: [RawConnection] = []
      for index in 0..<500 {
        let connection = try RawConnection(port: port)
        if index.isMultiple(of: 2) { connection.send("POST /meetings HTTP/1.1\r\nHo") }
        silent.append(connection)
      }
      // Some clients disconnect without reading the answer.
      for _ in 0..<50 { try RawConnection(port: port).send(Self.health) }
      let connection = try RawConnection(port: port)
      connection.send(Self.post(Bodies.meeting()))
      #expect(try await connection.readReply().status == 200)
      // The gateway answered the request while all connections were open.
      #expect(face.metrics.connections.value >= 500)
      _ = silent
    }
  }

  @Test func `connections beyond the limit wait until another connection closes`() async throws {
    try await withService(timeout: .milliseconds(500), maxConnections: 2) { _, face, port in
      let silent = [try RawConnection(port: port), try RawConnection(port: port)]
      let connection = try RawConnection(port: port)
      connection.send(Self.health)
      #expect(try await connection.readReply().status == 200)
      _ = silent
    }
  }

  @Test func `connections beyond the limit of one address are closed and delay nobody else`()
    async throws
  {
    try await withService(perAddress: 3) { _, face, port in
      let silent = try (0..<3).map { _ in try RawConnection(port: port) }
      // An answer shows that the service has counted the connection against the limit.
      for connection in silent {
        connection.send(Self.health)
        #expect(try await connection.readReply().status == 200)
      }
      for _ in 0..<20 { #expect(try await RawConnection(port: port).readToEnd() == "") }
      #expect(face.metrics.crowdedOut.value == 20)
      let elsewhere = try RawConnection(port: port, from: "127.0.0.2")
      elsewhere.send(Self.health)
      #expect(try await elsewhere.readReply().status == 200)
    }
  }

  @Test(arguments: ["192.0.2.1", "127.0.0.1"])
  func `an address that the host lacks, or that is in use, is reported as in use`(host: String)
    async throws
  {
    try await withService { fixture, face, port in
      let settings = try RESTSettings(host: host, port: port, mayBePlain: true)
      let service = RESTService(settings: settings, face: face, logger: fixture.control.logger)
      let error = await #expect(throws: HostError.self) { try await service.run() }
      guard case .inUse(let text)? = error else { return #expect(Bool(false), "\(error as Any)") }
      #expect(text.contains("Cannot listen on \(host):\(port)"))
    }
  }
}

extension String {
  fileprivate func replacingStandup(with name: String) -> String {
    split(separator: "standup", omittingEmptySubsequences: false).joined(separator: name)
  }
}
