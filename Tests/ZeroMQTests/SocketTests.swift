import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(5))) struct SocketTests {
  enum Transport: CaseIterable { case ipc, inproc, tcp }

  static func endpoint(_ transport: Transport, in directory: String) throws -> Endpoint {
    switch transport {
    case .ipc: try .ipc("\(directory)/s")
    case .inproc: try .inproc("s")
    case .tcp: try .tcp(host: "127.0.0.1", port: 0)
    }
  }

  @Test(arguments: Transport.allCases)
  func `the server receives a request and the client receives the reply`(transport: Transport)
    async throws
  {
    try await withSocketDirectory { directory in
      try await withThread { context, thread in
        let server = try await Peer.open(.router, in: context, on: thread)
        let client = try await Peer.open(.dealer, in: context, on: thread)
        let endpoint = try await server.bind(to: Self.endpoint(transport, in: directory))
        if transport == .inproc {
          try await client.connect(to: endpoint)
        } else {
          try await client.join(endpoint)
        }
        #expect(try await client.send("ping") == .sent)
        let request = await server.receive()
        #expect(request.count == 2 && request[1].text == "ping")
        #expect(try await server.send(route: request[0], MessageFrame("pong")) == .sent)
        #expect(await client.receive().map(\.text) == ["pong"])
        await client.close()
        await server.close()
      }
    }
  }

  @Test func `a bound endpoint contains the port that the system chose`() async throws {
    try await withThread { context, thread in
      let server = try await Peer.open(.router, in: context, on: thread)
      let endpoint = try await server.bind(to: .tcp(host: "::1", port: 0))
      guard case .tcp("::1", let port) = endpoint.transport else {
        Issue.record("\(endpoint)")
        return
      }
      #expect(port > 0)
      await #expect(throws: ZeroMQError.endpointInUse(endpoint)) {
        _ = try await Peer.open(.router, in: context, on: thread).bind(to: endpoint)
      }
      await server.close()
    }
  }

  @Test func `one frame can be sent to many peers and forwarded, whatever its size`() async throws {
    try await withSocketDirectory { directory in
      try await withThread { context, thread in
        let server = try await Peer.open(.router, in: context, on: thread)
        let endpoint = try await server.bind(to: .ipc("\(directory)/s"))
        let event = MessageFrame((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        var clients: [(Peer, route: MessageFrame)] = []
        for _ in 0..<5 {
          let client = try await Peer.open(.dealer, in: context, on: thread)
          try await client.join(endpoint)
          #expect(try await client.send("hello") == .sent)
          clients.append((client, await server.receive()[0]))
        }
        for (_, route) in clients {
          #expect(try await server.send([route, event, MessageFrame("end")]) == .sent)
        }
        for (client, _) in clients {
          let received = await client.receive()
          #expect(received == [event, MessageFrame("end")])
          // The test sends the first part of one message as the last part of another message.
          #expect(try await client.send([received[0]]) == .sent)
          #expect(await server.receive()[1...] == [event])
          await client.close()
        }
        await server.close()
      }
    }
  }

  @Test func `a router reports that a peer is unknown`() async throws {
    try await withThread { context, thread in
      let server = try await Peer.open(.router, in: context, on: thread)
      _ = try await server.bind(to: .inproc("s"))
      #expect(
        try await server.send(route: MessageFrame("nobody"), MessageFrame("hello")) == .unroutable)
      #expect(
        try await server.send([MessageFrame("nobody"), MessageFrame("a"), MessageFrame("b")])
          == .unroutable)
      await server.close()
    }
  }

  @Test
  func `a peer chooses its routing id, and a second peer cannot take the same id`() async throws {
    try await withThread { context, thread in
      let server = try await Peer.open(.router, in: context, on: thread)
      let endpoint = try await server.bind(to: .tcp(host: "127.0.0.1", port: 0))
      let ada = try await Peer.open(.dealer, in: context, on: thread, .routingID(Array("id".utf8)))
      let eve = try await Peer.open(.dealer, in: context, on: thread, .routingID(Array("id".utf8)))
      try await ada.join(endpoint)
      #expect(try await ada.send("one") == .sent)
      #expect(await server.receive().map(\.text) == ["id", "one"])
      try await eve.join(endpoint)
      #expect(try await server.send(route: MessageFrame("id"), MessageFrame("two")) == .sent)
      #expect(await ada.receive().map(\.text) == ["two"])
      await ada.close()
      await eve.close()
      await server.close()
    }
  }

  @Test func `sending would block if there is no peer or the queues are full`() async throws {
    try await withThread { context, thread in
      let sender = try await Peer.open(.push, in: context, on: thread, .sendHighWaterMark(2))
      #expect(try await sender.send("nobody") == .wouldBlock)
      #expect(try await sender.send([MessageFrame("a"), MessageFrame("b")]) == .wouldBlock)
      let endpoint = try await sender.bind(to: .inproc("s"))
      let box = Box<Socket?>(nil)
      try await on(thread) {
        let receiver = try Socket(.pull, in: context)
        try receiver.set(.receiveHighWaterMark(2))
        try receiver.connect(to: endpoint)
        box.value = consume receiver
      }
      var sent = 0
      while try await sender.send("\(sent)") == .sent { sent += 1 }
      #expect(sent == 4)
      try await on(thread) {
        for number in 0..<4 {
          let message = try box.value?.receive()
          #expect(message?.map(\.text) == ["\(number)"])
        }
        let nothing = try box.value?.receive()
        #expect(nothing == nil)
      }
      #expect(try await sender.send("again") == .sent)
      try await on(thread) { box.value = nil }
      await sender.close()
    }
  }

  @Test func `an oversized message part closes only the connection of its sender`() async throws {
    try await withSocketDirectory { directory in
      try await withThread { context, thread in
        let server = try await Peer.open(
          .router, in: context, on: thread, .maximumMessageSize(1024))
        let endpoint = try await server.bind(to: .ipc("\(directory)/s"))
        let ada = try await Peer.open(.dealer, in: context, on: thread)
        let eve = try await Peer.open(.dealer, in: context, on: thread)
        try await ada.join(endpoint)
        try await eve.join(endpoint)
        #expect(try await eve.send([MessageFrame([UInt8](repeating: 0, count: 1025))]) == .sent)
        let lost = await eve.event { if case .disconnected = $0 { true } else { false } }
        #expect(lost != nil)
        #expect(try await ada.send([MessageFrame([UInt8](repeating: 1, count: 1024))]) == .sent)
        #expect(await server.receive()[1] == MessageFrame([UInt8](repeating: 1, count: 1024)))
        await ada.close()
        await eve.close()
        await server.close()
      }
    }
  }

  @Test(arguments: [(1, 1), (15, 15), (16, 16), (17, 17), (40, 17)])
  func `a message with too many parts is cut to seventeen parts`(
    sent: Int, received: Int
  ) async throws {
    try await withThread { context, thread in
      let left = try await Peer.open(.pair, in: context, on: thread)
      let right = try await Peer.open(.pair, in: context, on: thread)
      try await right.connect(to: left.bind(to: .inproc("s")))
      #expect(try await left.send((0..<sent).map { MessageFrame("\($0)") }) == .sent)
      #expect(try await left.send("next") == .sent)
      #expect(await right.receive().map(\.text) == (0..<received).map { "\($0)" })
      #expect(await right.receive().map(\.text) == ["next"])
      await left.close()
      await right.close()
    }
  }

  @Test func `a subscriber gets only messages with its prefixes`() async throws {
    try await withSocketDirectory { directory in
      try await withThread { context, thread in
        let publisher = try await Peer.open(.xpub, in: context, on: thread)
        let endpoint = try await publisher.bind(to: .ipc("\(directory)/s"))
        let subscriber = try await Peer.open(.sub, in: context, on: thread)
        try await subscriber.subscribe(to: Array("m-1/".utf8))
        try await subscriber.connect(to: endpoint)
        #expect(await publisher.receive().map(\.bytes) == [[1] + Array("m-1/".utf8)])
        for topic in ["m-10/", "m-1/"] {
          #expect(try await publisher.send([MessageFrame(topic), MessageFrame("event")]) == .sent)
        }
        #expect(await subscriber.receive().map(\.text) == ["m-1/", "event"])
        try await subscriber.unsubscribe(from: Array("m-1/".utf8))
        #expect(await publisher.receive().map(\.bytes) == [[0] + Array("m-1/".utf8)])
        await subscriber.close()
        await publisher.close()
      }
    }
  }

  @Test func `bind and connect report the cause of a failure`() async throws {
    try await withSocketDirectory { directory in
      try await withThread { context, thread in
        let peer = try await Peer.open(.router, in: context, on: thread)
        let nowhere = try Endpoint.ipc("\(directory)/none/s")
        for _ in 0..<100 {
          let error = await #expect(throws: ZeroMQError.self) { try await peer.bind(to: nowhere) }
          #expect(error == .endpointFailed(nowhere, operation: "Binding", code: 2))
          #expect(error?.message.contains("create the directory first") == true)
        }
        await #expect(throws: ZeroMQError.self) { try await peer.unbind(from: nowhere) }
        await #expect(throws: ZeroMQError.self) { try await peer.disconnect(from: nowhere) }
        await #expect(throws: ZeroMQError.invalidOption(.routingID([0]), code: 22)) {
          try await peer.set(.routingID([0]))
        }
        await peer.close()
      }
    }
  }

  @Test func `a socket that cannot send or receive throws an error`() async throws {
    try await withThread { context, thread in
      try await on(thread) {
        let puller = try Socket(.pull, in: context)
        #expect(throws: ZeroMQError.self) { try puller.send(MessageFrame("x")) }
        let pusher = try Socket(.push, in: context)
        #expect(throws: ZeroMQError.self) { try pusher.receive() }
      }
    }
  }

  @Test func `a context refuses sockets beyond its limit`() throws {
    let context = try ZMQContext(maxSockets: 2)
    let first = try Socket(.pair, in: context)
    let second = try Socket(.pair, in: context)
    let error = #expect(throws: ZeroMQError.self) { _ = try Socket(.pair, in: context).kind }
    #expect(error?.message.contains("raise the limit") == true)
    #expect(first.kind == second.kind)
    #expect(throws: ZeroMQError.self) { try ZMQContext(ioThreads: -1) }
  }

  @Test func `every option can be set on every kind of socket`() throws {
    let context = try ZMQContext()
    let key = try #require(CurveKey([UInt8](repeating: 7, count: 32)))
    for kind in [Socket.Kind.router, .dealer, .xpub, .sub, .pub, .pull, .push, .pair] {
      let socket = try Socket(kind, in: context)
      for option: SocketOption in [
        .maximumMessageSize(65_536), .maximumMessageSize(nil), .linger(.milliseconds(5)),
        .sendHighWaterMark(0), .receiveHighWaterMark(5), .backlog(1000),
        .heartbeat(interval: .seconds(1), timeout: .seconds(3)),
        .reconnect(initial: .milliseconds(10), maximum: .seconds(1)), .routingID([1, 0]),
        .handshakeTimeout(.seconds(5)), .connectTimeout(.seconds(5)),
        .curveServer(secretKey: key),
        .curveClient(serverKey: key, publicKey: key, secretKey: key),
      ] { try socket.set(option) }
    }
  }

  @Test func `a key has 32 bytes and is hidden in descriptions`() throws {
    #expect(CurveKey([UInt8](repeating: 7, count: 31)) == nil)
    let key = try #require(CurveKey([UInt8](repeating: 7, count: 32)))
    var dumped = ""
    dump(SocketOption.curveServer(secretKey: key), to: &dumped)
    let error = ZeroMQError.invalidOption(.curveServer(secretKey: key), code: 22)
    for text in ["\(key)", String(reflecting: key), dumped, error.message] {
      #expect(!text.contains("7"), "\(text)")
    }
  }

  @Test func `sending an empty message stops the process`() async {
    await #expect(processExitsWith: .failure) {
      _ = try Socket(.push, in: ZMQContext()).send([])
    }
  }
}
