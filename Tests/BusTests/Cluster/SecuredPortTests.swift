import MeetingModel
import TestSupport
import Testing
import Wire
import ZeroMQ

@testable import Bus

/// Tests of connections between hosts, with libzmq's CURVE and real sockets at both ends.
///
/// The tests run one at a time, because a context has one authenticator.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SecuredPortTests {
  @Test func `requests and events pass between hosts`() async throws {
    try await withTestBus { bus in
      let host = try await OtherHost.open(bus)
      let events = Inbox<ReceivedBusEvent>()
      let terms = Inbox<String>()
      let links = ServiceLinks(
        "presence", topic: EventTopic.roster(of:),
        handlers: .init(
          onEvent: { _, event in events.put(event) }, onNewTerm: { terms.put($0) }),
        in: try CurveContext.shared.get(), on: bus.thread
      ) { $0 }
      bus.cleanUp { links.close() }
      _ = try links.refresh(with: [host.record])
      // The link learns the name from a beacon.
      #expect(await terms.next() == "presence-b")
      let meeting = MeetingID.random()
      let link = try #require(links.owner(of: meeting))
      #expect(try await link.client.echo(7) == 7)
      #expect(link.isConnected)

      links.follow(meeting)
      let stream = host.publisher.beginStream(
        of: meeting, name: "roster", topic: .roster(of: meeting), epoch: 9)
      try await eventually("the subscription", every: .milliseconds(5)) {
        stream.publish(V1.SessionEvent())
        return events.count > 0
      }
      let event = await events.next()
      #expect(event.topic == .roster(of: meeting))
      #expect(event.header.epoch == 9)
      #expect(event.header.term == 3)
      #expect(links.refusal == nil)
    }
  }

  @Test func `large requests and many requests pass between hosts`() async throws {
    try await withTestBus { bus in
      let host = try await OtherHost.open(bus)
      let channel = try RequestChannel.open(bus, to: host.endpoint)
      for size in [0, 1, 255, 8_192, 1 << 20] {
        let text = String(repeating: "x", count: size)
        let reply = try await channel.call(
          TestMethods.echo, TestMethods.Message(meetingID: text), .patient)
        #expect(reply.meetingID.count == size)
      }
      for number in 0..<500 { #expect(try await channel.echo(UInt64(number)) == UInt64(number)) }
    }
  }

  @Test func `an unknown key is refused, counted and reported within seconds`() async throws {
    try await withTestBus { bus in
      let host = try await OtherHost.open(bus, allowing: AllowList())
      let channel = try RequestChannel.open(bus, to: host.endpoint)
      let refusal = try await channel.refused()
      #expect(refusal.message.contains("refuses this side's key"))
      await #expect(throws: refusal) {
        try await channel.echo(1, within: .milliseconds(300))
      }
      try await host.refuses(.unknownKey)
    }
  }

  @Test func `a key with another role is refused`() async throws {
    try await withTestBus { bus in
      let host = try await OtherHost.open(bus, allowing: OtherHost.caller(as: .client))
      let channel = try RequestChannel.open(bus, to: host.endpoint)
      _ = try await channel.refused()
      try await host.refuses(.otherRole)
    }
  }

  @Test func `a peer without a key is refused and learns the reason`() async throws {
    try await withTestBus { bus in
      let host = try await OtherHost.open(bus)
      let channel = try RequestChannel.open(bus, to: host.plain)
      let refusal = try await channel.refused()
      #expect(refusal.message.contains("uses encryption and this side does not"))
      try await host.refuses(.noKey)
    }
  }

  @Test func `a peer that expects another server key is refused and learns the reason`()
    async throws
  {
    try await withTestBus { bus in
      let host = try await OtherHost.open(bus)
      let other = try CurveKeyPair().publicKey
      let channel = try RequestChannel.open(bus, to: host.plain.encrypted(for: other))
      let refusal = try await channel.refused()
      #expect(refusal.message.contains("its key may differ"))
      try await host.refuses(.wrongKey)
    }
  }

  @Test func `no peer is admitted without an authenticator`() async throws {
    try await withTestBus { bus in
      let host = try await OtherHost.open(bus, hasAuthenticator: false)
      let channel = try RequestChannel.open(bus, to: host.endpoint)
      await #expect(throws: Status.self) {
        try await channel.echo(1, within: .milliseconds(800))
      }
      #expect(!channel.isConnected)
    }
  }

  @Test func `a peer with a revoked key is disconnected until the key is allowed again`()
    async throws
  {
    try await withTestBus { bus in
      let host = try await OtherHost.open(bus)
      let channel = try RequestChannel.open(bus, to: host.endpoint)
      #expect(try await channel.echo(1) == 1)
      var list = try OtherHost.caller()
      try list.revoke("caller")
      let began = ContinuousClock.now
      host.admission.replace(with: list)
      try await channel.isConnected(false)
      _ = try await channel.refused()
      #expect(ContinuousClock.now - began < .seconds(10))
      try await host.refuses(.revoked, times: 2)
      #expect(!channel.isConnected)

      host.admission.replace(with: try OtherHost.caller())
      #expect(try await channel.echo(2) == 2)
      #expect(channel.refusal == nil)
    }
  }

  @Test func `a refused subscriber gets events after its key is allowed`() async throws {
    try await withTestBus { bus in
      let host = try await OtherHost.open(bus, allowing: AllowList())
      let subscriber = try EventSubscriber(
        to: host.record.endpoint("events"), instance: "presence-b",
        in: CurveContext.shared.get(), on: bus.thread)
      bus.cleanUp { subscriber.close() }
      let beacons = Inbox<UInt64>()
      let events = Inbox<EventTopic>()
      subscriber.onBeacon = { beacons.put($0.term) }
      subscriber.onEvent = { events.put($0.topic) }
      let meeting = MeetingID.random()
      subscriber.subscribe(to: .roster(of: meeting))
      try await host.refuses(.unknownKey, times: 2)
      #expect(beacons.count == 0)
      host.admission.replace(with: try OtherHost.caller())
      #expect(await beacons.next() == 3)
      let stream = host.publisher.beginStream(
        of: meeting, name: "roster", topic: .roster(of: meeting), epoch: 9)
      try await eventually("the subscription", every: .milliseconds(5)) {
        stream.publish(V1.SessionEvent())
        return events.count > 0
      }
      #expect(await events.next() == .roster(of: meeting))
    }
  }

  @Test func `a link is restored after the revocation of another key`() async throws {
    try await withTestBus { bus in
      var list = try OtherHost.caller()
      try list.allow(AllowListEntry(.service, CurveKeyPair().publicKey, name: "other"))
      let host = try await OtherHost.open(bus, allowing: list)
      let channel = try RequestChannel.open(bus, to: host.endpoint)
      #expect(try await channel.echo(1) == 1)
      try list.revoke("other")
      host.admission.replace(with: list)
      try await channel.isConnected(false)
      #expect(try await channel.echo(2) == 2)
    }
  }

  @Test func `a new allow list with additional keys disconnects no peer`() async throws {
    try await withTestBus { bus in
      let host = try await OtherHost.open(bus)
      let channel = try RequestChannel.open(bus, to: host.endpoint)
      #expect(try await channel.echo(1) == 1)
      var list = try OtherHost.caller()
      try list.allow(AllowListEntry(.service, CurveKeyPair().publicKey, name: "other"))
      var losses = 0
      channel.onConnectionChange = { if !$0 { losses += 1 } }
      host.admission.replace(with: list)
      #expect(host.admission.narrowings == 0)
      #expect(try await channel.echo(2) == 2)
      #expect(losses == 0)
      // When another key is revoked, the channel loses its connection once, and reconnects.
      try list.revoke("other")
      host.admission.replace(with: list)
      try await channel.isConnected(false)
      #expect(try await channel.echo(3) == 3)
      #expect(losses == 1)
    }
  }

  @Test func `silent connections are limited and do not disturb other peers`() async throws {
    try await withTestBus { bus in
      let host = try await OtherHost.open(bus, mostConnections: 8)
      let channel = try RequestChannel.open(bus, to: host.endpoint)
      #expect(try await channel.echo(1) == 1)
      let port = try host.plain.port()
      var strangers: [Stranger] = []
      for number in 0..<100 {
        strangers.append(try Stranger(port: port))
        #expect(try await channel.echo(UInt64(number)) == UInt64(number))
      }
      // On a busy machine, some silent strangers time out before all strangers have connected. The
      // port then accepts other strangers.
      try await eventually("the end of all strangers", every: .milliseconds(5)) {
        host.refusals(.crowded) + host.refusals(.silent) >= strangers.count
      }
      #expect(host.refusals(.crowded) > 0)
      #expect(host.refusals(.silent) > 0)
      #expect(channel.isConnected)
      for stranger in strangers { stranger.close() }
    }
  }

  @Test(arguments: Stranger.greetings)
  func `a connection with an invalid greeting or another mechanism is refused`(bytes: [UInt8])
    async throws
  {
    try await withTestBus { bus in
      let host = try await OtherHost.open(bus)
      let channel = try RequestChannel.open(bus, to: host.endpoint)
      #expect(try await channel.echo(1) == 1)
      let stranger = try Stranger(port: host.plain.port())
      stranger.send(bytes)
      try await eventually("the end of the stranger", every: .milliseconds(5)) {
        stranger.isHungUp
      }
      stranger.close()
      #expect(try await channel.echo(2) == 2)
      #expect(channel.isConnected)
    }
  }

  @Test func `a restarted server gets the same port again`() async throws {
    try await withTestBus { bus in
      let host = try await OtherHost.open(bus)
      let port = SecuredPort(
        host.plain, as: try CurveContext.server.get(), letting: host.admission)
      host.server.close()
      for number in 0..<50 {
        let server = try RequestServer(
          at: [bus.endpoint("again-\(number)")], securedAt: port,
          in: CurveContext.shared.get(), on: bus.thread)
        server.close()
      }
    }
  }

  @Test func `a new authenticator can start as soon as the previous authenticator is closed`()
    async throws
  {
    try await withTestBus { bus in
      let context = try CurveContext.shared.get()
      for _ in 0..<500 {
        let authenticator = PeerAuthenticator(
          KeyAdmission(AllowList()) { _ in }, in: context, on: bus.thread)
        try await authenticator.open()
        await authenticator.close()
      }
    }
  }

  @Test func `a client on the server's own host needs no keys`() async throws {
    try await withTestBus { bus in
      let host = try await OtherHost.open(bus, allowing: AllowList())
      let channel = try RequestChannel.open(bus, to: bus.endpoint("far-rpc"))
      #expect(try await channel.echo(1) == 1)
      #expect(host.refusals(.unknownKey) == 0)
    }
  }

  @Test func `an instance without a cluster port does not affect other instances`() async throws {
    try await withTestBus { bus in
      let host = try await OtherHost.open(bus)
      var away = RegisteredInstance(
        service: "presence", instance: "presence-c", endpoints: host.record.endpoints, term: 1,
        processID: 1, startedAt: 0, isLive: true)
      away.isHere = false
      var told: [String] = []
      let links = ServiceLinks(
        "presence", topic: EventTopic.roster(of:),
        handlers: .init(onRefusal: { instance, _ in told.append(instance) }),
        in: try CurveContext.shared.get(), on: bus.thread
      ) { $0 }
      bus.cleanUp { links.close() }
      for _ in 0..<3 { _ = try links.refresh(with: [away, host.record]) }
      #expect(told == ["presence-c"])
      #expect(links["presence-c"] == nil)
      #expect(links.refusal?.message.contains("--cluster-listen") == true)
      #expect(try await links["presence-b"]?.client.echo(3) == 3)
      _ = try links.refresh(with: [host.record])
      #expect(links.refusal == nil)
    }
  }

  @Test func `a link is restored when the instance returns on another port`() async throws {
    try await withTestBus { bus in
      let host = try await OtherHost.open(bus)
      let links = ServiceLinks(
        "presence", topic: EventTopic.roster(of:), handlers: .init(),
        in: try CurveContext.shared.get(), on: bus.thread
      ) { $0 }
      bus.cleanUp { links.close() }
      var stale = host.record
      stale.clusterEndpoints["rpc"] = try Endpoint.tcp(host: "127.0.0.1", port: 1)
        .encrypted(for: CurveContext.server.get().publicKey).text
      _ = try links.refresh(with: [stale])
      let former = links["presence-b"]
      _ = try links.refresh(with: [host.record])
      #expect(links["presence-b"] !== former)
      #expect(try await links["presence-b"]?.client.echo(3) == 3)
    }
  }
}

extension Endpoint {
  fileprivate func port() throws -> UInt16 {
    guard case .tcp(_, let port) = transport else { throw RawPeer.Failure.notSent }
    return port
  }
}
