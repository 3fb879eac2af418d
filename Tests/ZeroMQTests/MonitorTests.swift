import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(5))) struct MonitorTests {
  @Test func `both peers report the start and the end of a connection`() async throws {
    try await withSocketDirectory { directory in
      try await withThread { context, thread in
        let server = try await Peer.open(.router, in: context, on: thread)
        let client = try await Peer.open(.dealer, in: context, on: thread)
        let endpoint = try await server.bind(to: .ipc("\(directory)/s"))
        #expect(await server.event { _ in true } == .listening(endpoint: endpoint.text))
        try await client.connect(to: endpoint)
        #expect(await client.event { _ in true } == .connected(endpoint: endpoint.text))
        let met = await client.event { _ in true }
        #expect(met == .handshakeSucceeded(endpoint: endpoint.text))
        let accepted = await server.event { if case .accepted = $0 { true } else { false } }
        #expect(accepted != nil)
        await client.close()
        #expect(await client.event { _ in false } == nil)
        let lost = await server.event { if case .disconnected = $0 { true } else { false } }
        #expect(lost != nil)
        await server.close()
        #expect(await server.event { _ in false } == nil)
      }
    }
  }

  @Test func `the handshake fails with a peer that does not use ZMTP`() async throws {
    try await withThread { context, thread in
      let server = try await Peer.open(
        .router, in: context, on: thread, .handshakeTimeout(.milliseconds(50)))
      let endpoint = try await server.bind(to: .tcp(host: "127.0.0.1", port: 0))
      guard case .tcp(_, let port) = endpoint.transport else { return }
      let silent = try SilentClient(port: port)
      let failure = await server.event { if case .handshakeFailed = $0 { true } else { false } }
      #expect(failure != nil)
      silent.close()
      await server.close()
    }
  }

  @Test func `a monitor can end before the socket that it monitors`() async throws {
    try await withThread { context, thread in
      try await on(thread) {
        let socket = try Socket(.router, in: context)
        let events = Box<[MonitorEvent]>([])
        let id = try thread.monitor(socket) { events.value.append($0) }
        thread.stopMonitoring(id)
        thread.stopMonitoring(id)
        try socket.bind(to: .tcp(host: "127.0.0.1", port: 0))
        #expect(events.value.isEmpty)
      }
    }
  }

  @Test func `a running monitor ends with its thread, before the monitored socket ends`()
    async throws
  {
    let context = try ZMQContext()
    let thread = SocketThread(name: "test")
    let socket = Box<Socket?>(nil)
    try await on(thread) {
      let router = try Socket(.router, in: context)
      _ = try thread.monitor(router) { _ in }
      _ = thread.watch(router) {}
      socket.value = consume router
    }
    thread.stop()
    thread.join()
    try socket.value?.bind(to: .tcp(host: "127.0.0.1", port: 0))
    socket.value = nil
  }

  @Test func `successive threads in one context do not disturb each other`()
    async throws
  {
    let context = try ZMQContext()
    for _ in 0..<200 {
      let thread = SocketThread(name: "test")
      try await on(thread) {
        let router = try Socket(.router, in: context)
        _ = try thread.monitor(router) { _ in }
      }
      thread.stop()
      thread.join()
    }
  }
}
