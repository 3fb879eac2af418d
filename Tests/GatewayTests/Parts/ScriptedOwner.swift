import Bus
import MeetingModel
import Testing
import Wire
import ZeroMQ

@testable import Gateway

/// Runs a test of one service's connector, with an instance of the service. The test answers
/// through `server`.
func withOwner<Part: ServiceConnector & OwnerFollowerAdapter & SendableMetatype>(
  _ makePart: @Sendable (GatewayContext) -> Part,
  _ body:
    @Sendable (isolated KeeperFixture, _ part: Part, _ server: RequestServer) async throws -> Void
) async throws {
  try await withKeeper { fixture in
    let registry = RuntimeDirectoryRegistry(runtimeDirectory: fixture.directory)
    let requests = try Endpoint.ipc(fixture.directory + "/r.sock")
    let server = try RequestServer(at: [requests], in: fixture.sockets, on: fixture.thread)
    let registration = try registry.register(
      InstanceAnnouncement(
        service: Part.id.name, instance: "\(Part.id.name)-a",
        endpoints: ["rpc": requests.text, "events": "ipc://\(fixture.directory)/e.sock"]))
    let part = makePart(fixture.context)
    try part.following.refresh(with: registry.instances(of: Part.id.name))
    let result: Result<Void, any Error>
    do { result = .success(try await body(fixture, part, server)) } catch {
      result = .failure(error)
    }
    part.following.close()
    server.close()
    registration.withdraw()
    try result.get()
  }
}

extension KeeperFixture {
  /// Returns an open session in a meeting without events.
  func session(
    _ link: LocalLink, in meeting: Meeting? = nil,
    after positions: [MeetingStream: StreamCursor] = [:], asContent: Bool = false
  ) async throws -> GatewayClientSession {
    let before = Set(context.sessions.all.map(\.number))
    try open(link, in: meeting, after: positions, asContent: asContent)
    await answerAll()
    return try #require(context.sessions.all.first { !before.contains($0.number) })
  }
}

extension V1.PackedEvent {
  /// Returns an event that contains only its number.
  static func numbered(_ sequence: UInt64, epoch: UInt64, for only: [String] = []) -> V1.PackedEvent
  {
    V1.PackedEvent(
      header: V1.EventHeader(epoch: epoch, sequence: sequence, onlyFor: only),
      body: V1.SessionEvents(
        events: [V1.SessionEvent(event: .eventsLost(V1.EventsLost(stream: "\(sequence)")))]
      ).packed())
  }
}

extension LocalLink {
  /// The numbers of the ``Wire/V1/PackedEvent/numbered(_:epoch:for:)`` events that the link
  /// received.
  var numbers: [String] {
    events.compactMap { event in
      if case .eventsLost(let lost) = event { lost.stream } else { nil }
    }
  }
}

/// Returns the status with which `body` fails; `nil` if `body` does not fail.
///
/// `#expect(throws:)` would leave the socket thread.
func refusal(of body: () async throws(Status) -> Void) async -> Status? {
  do throws(Status) {
    try await body()
    return nil
  } catch {
    return error
  }
}
