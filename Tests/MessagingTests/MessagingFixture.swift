import Bus
import Foundation
import Logging
import MeetingModel
import OwnerTestSupport
import Ownership
import ServiceHost
import TestSupport
import Wire
import ZeroMQ

@testable import Messaging
@testable import Storage

/// A messaging instance in a new directory. The fixture starts the instance, passes itself to the
/// test, and stops the instance.
struct MessagingFixture {
  let directory: String
  let metrics = MetricsRegistry()
  var rules = MessagingRules()

  /// How long a commit waits for another process.
  var busyTimeout = Duration.milliseconds(100)

  var registry: RuntimeDirectoryRegistry { RuntimeDirectoryRegistry(runtimeDirectory: directory) }

  var database: String { directory + "/messages.sqlite" }

  private var requests: String { directory + "/messaging-a.rpc.sock" }
  private var events: String { directory + "/messaging-a.events.sock" }

  /// Runs messaging while `body` runs.
  func running<Result: Sendable>(
    _ body: @Sendable (MessagingService) async throws -> Result
  ) async throws -> Result {
    let messaging = MessagingService(
      MessagingConfiguration(
        instance: "messaging-a", requests: try .ipc(requests), events: try .ipc(events),
        rules: rules),
      store: try MessagesStore(path: database, busyTimeout: busyTimeout), registry: registry,
      in: try ZMQContext(),
      on: SocketThread(name: "messaging"), metrics: metrics,
      logger: Logger(label: "messaging") { _ in SwiftLogNoOpLogHandler() })
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await messaging.run() }
      let result: Result
      do {
        result = try await body(messaging)
      } catch {
        group.cancelAll()
        throw error
      }
      group.cancelAll()
      try await group.waitForAll()
      return result
    }
  }

  /// Runs `body` with a gateway that calls this messaging instance.
  @discardableResult
  func withGateway<Result: Sendable>(
    _ body: (TestGateway) async throws -> Result
  ) async throws -> Result {
    let gateway = TestGateway.ofMessages()
    try await gateway.open(requests: try .ipc(requests), events: try .ipc(events))
    do {
      let result = try await body(gateway)
      await gateway.close()
      return result
    } catch {
      await gateway.close()
      throw error
    }
  }
}

/// Runs messaging in a new directory.
func withMessaging<Result: Sendable>(
  _ rules: MessagingRules = MessagingRules(),
  _ body: @Sendable (MessagingFixture) async throws -> Result
) async throws -> Result {
  try await withTemporaryDirectory { directory in
    let fixture = MessagingFixture(directory: directory, rules: rules)
    return try await fixture.running { _ in try await body(fixture) }
  }
}
