import MeetingModel
import Synchronization
import TestSupport
import Testing
import Wire
import ZeroMQ

@testable import Bus

/// An instance of a service on another host. Only peers with an allowed key can reach the instance,
/// over tcp.
final class OtherHost {
  let server: RequestServer
  let publisher: EventPublisher
  let admission: KeyAdmission
  let record: RegisteredInstance

  /// The endpoint of the instance, without the public key that clients need.
  let plain: Endpoint
  private let counts: Counts

  private final class Counts: Sendable {
    let refusals = Mutex<[PeerRefusalReason: Int]>([:])
  }

  /// - Parameters:
  ///   - list: The allowed keys; `nil` to allow the caller of ``CurveContext``.
  ///   - hasAuthenticator: Whether an authenticator answers libzmq's authentication requests.
  static func open(
    _ bus: TestBus, allowing list: AllowList? = nil, mostConnections: Int = 1_024,
    hasAuthenticator: Bool = true
  ) async throws -> OtherHost {
    let context = try CurveContext.shared.get()
    let list = try list ?? Self.caller()
    let host = try OtherHost(bus, in: context, list, mostConnections)
    guard hasAuthenticator else { return host }
    let authenticator = PeerAuthenticator(host.admission, in: context, on: bus.thread)
    try await authenticator.open()
    bus.cleanUp { authenticator.assumeIsolated { $0.close() } }
    return host
  }

  /// Returns a list that allows the caller of ``CurveContext``.
  static func caller(as role: PeerKeyRole = .service) throws -> AllowList {
    var list = AllowList()
    try list.allow(AllowListEntry(role, CurveContext.caller.get().publicKey, name: "caller"))
    return list
  }

  private init(
    _ bus: TestBus, in context: ZMQContext, _ list: AllowList, _ mostConnections: Int
  ) throws {
    let counts = Counts()
    let admission = KeyAdmission(list) { cause in
      counts.refusals.withLock { $0[cause, default: 0] += 1 }
    }
    let keys = try CurveContext.server.get()
    var port = SecuredPort(try .tcp(host: "127.0.0.1", port: 0), as: keys, letting: admission)
    port.mostConnections = mostConnections
    port.handshakeTimeout = .milliseconds(500)
    let server = try RequestServer(
      at: [bus.endpoint("far-rpc")], securedAt: port, in: context, on: bus.thread)
    bus.cleanUp { server.close() }
    let publisher = try EventPublisher(
      at: bus.endpoint("far-events"), securedAt: port, instance: "presence-b", term: 3,
      in: context, on: bus.thread)
    bus.cleanUp { publisher.close() }
    (self.server, self.publisher) = (server, publisher)
    (self.admission, self.counts) = (admission, counts)
    plain = try #require(server.lastEndpoint)
    let events = try #require(publisher.lastEndpoint)
    var record = RegisteredInstance(
      service: "presence", instance: "presence-b",
      endpoints: ["rpc": "ipc:///nowhere/rpc", "events": "ipc:///nowhere/events"], term: 3,
      processID: 1, startedAt: 0, isLive: true)
    record.clusterEndpoints = [
      "rpc": plain.encrypted(for: keys.publicKey).text,
      "events": events.encrypted(for: keys.publicKey).text,
    ]
    record.isHere = false
    self.record = record
    server.on(TestMethods.echo) { request, call in call.reply(request) }
  }

  /// The endpoint of the instance.
  var endpoint: Endpoint { get throws { try record.endpoint("rpc") } }

  func refusals(_ cause: PeerRefusalReason) -> Int {
    counts.refusals.withLock { $0[cause, default: 0] }
  }

  /// Waits until the port has refused at least `times` peers for a cause.
  func refuses(_ cause: PeerRefusalReason, times: Int = 1) async throws {
    try await eventually("\(times) refused as \(cause)", every: .milliseconds(2)) {
      refusals(cause) >= times
    }
  }
}

extension RequestChannel {
  /// Opens a channel to an instance on another host.
  static func open(_ bus: TestBus, to endpoint: Endpoint) throws -> RequestChannel {
    let channel = try RequestChannel(
      to: endpoint, in: CurveContext.shared.get(), on: bus.thread)
    bus.cleanUp { channel.close() }
    return channel
  }

  /// Waits until the server has refused the channel.
  func refused() async throws -> Status {
    try await eventually("a refusal", every: .milliseconds(2)) { refusal != nil }
    return try #require(refusal)
  }

  /// Waits for a new connection or for the loss of the connection.
  func isConnected(_ wanted: Bool) async throws {
    let what = wanted ? "a connection" : "the end of the connection"
    try await eventually(what, every: .milliseconds(2)) { isConnected == wanted }
  }

  func echo(_ number: UInt64, within limit: Duration = .seconds(50)) async throws(Status) -> UInt64
  {
    try await call(
      TestMethods.echo, TestMethods.Message(epoch: number), CallOptions(timeout: limit)
    ).epoch
  }
}
