import Bus
import Logging
import OwnerTestSupport
import Ownership
import ServiceHost
import TestSupport
import Wire
import ZeroMQ

@testable import Presence

/// A presence instance in a new directory. The fixture starts the instance, passes itself to the
/// test, and stops the instance.
struct PresenceFixture {
  let directory: String
  let metrics = MetricsRegistry()
  var rules = PresenceRules()

  var registry: RuntimeDirectoryRegistry { RuntimeDirectoryRegistry(runtimeDirectory: directory) }

  private var requests: String { directory + "/presence-a.rpc.sock" }
  private var events: String { directory + "/presence-a.events.sock" }

  /// Runs presence while `body` runs.
  func running<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    // The gateways of these tests rarely send heartbeats, and a busy machine delays heartbeats. So
    // presence must wait long before presence treats a gateway as dead.
    var rules = rules
    rules.timing.gatewaySilence = .seconds(60)
    let presence = PresenceService(
      PresenceConfiguration(
        instance: "presence-a", requests: try .ipc(requests), events: try .ipc(events),
        rules: rules, replayEvents: 16),
      registry: registry, in: try ZMQContext(), on: SocketThread(name: "presence"),
      metrics: metrics,
      logger: Logger(label: "presence") { _ in SwiftLogNoOpLogHandler() })
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await presence.run() }
      let result: Result
      do {
        result = try await body()
      } catch {
        group.cancelAll()
        throw error
      }
      group.cancelAll()
      try await group.waitForAll()
      return result
    }
  }

  /// Runs `body` with a gateway that calls this presence instance.
  ///
  /// - Parameter announces: Whether the gateway first announces that it has no sessions, as a real
  ///   gateway does.
  @discardableResult
  func withGateway<Result: Sendable>(
    _ name: String = "gateway-a", announces: Bool = true,
    _ body: (TestGateway) async throws -> Result
  ) async throws -> Result {
    let gateway = TestGateway(name: name, following: .roster)
    try await gateway.open(requests: try .ipc(requests), events: try .ipc(events))
    do {
      if announces { _ = try await gateway.announce([]) }
      let result = try await body(gateway)
      await gateway.close()
      return result
    } catch {
      await gateway.close()
      throw error
    }
  }

  /// Registers a gateway as live.
  func announceLife(of gateway: String) throws -> any InstanceRegistration {
    try registry.register(
      InstanceAnnouncement(service: "gateway", instance: gateway, endpoints: [:]))
  }
}

/// Runs presence in a new directory.
func withPresence<Result: Sendable>(
  _ rules: PresenceRules = PresenceRules(),
  _ body: @Sendable (PresenceFixture) async throws -> Result
) async throws -> Result {
  try await withTemporaryDirectory { directory in
    let fixture = PresenceFixture(directory: directory, rules: rules)
    return try await fixture.running { try await body(fixture) }
  }
}
