import ArgumentParser
import Foundation
import ServiceHost
import ServiceLifecycle

/// A service with every kind of flag. `behaviour` determines how the service stops.
struct ExampleTilesCommand: ServiceCommand {
  enum Behaviour: String, ExpressibleByArgument, CaseIterable {
    /// The service requests its own stop with SIGTERM, and stops at this request.
    case stopWhenAsked
    /// The service requests its own stop twice, and never stops.
    case stopTwice
    /// The service requests its own stop, and ignores this request until the service's task is
    /// cancelled.
    case outstayDrain
    case endUnasked
    case fail
    case refuseConfiguration
  }

  @OptionGroup var host: HostOptions

  @Option(help: "Most attendees one meeting may hold.")
  var maxAttendees = 250

  @Option(help: "Where to listen.")
  var listen: [String] = []

  @Flag(inversion: .prefixedNo, help: "Replay missed events.")
  var replay = true

  @Flag(help: "Accept unsigned requests.")
  var allowUnsigned = false

  @Option(help: "How the service lives.")
  var behaviour = Behaviour.stopWhenAsked

  func validate() throws {
    guard (2...10_000).contains(maxAttendees) else {
      throw ValidationError("--max-attendees must be 2-10000; got \(maxAttendees).")
    }
  }

  func makeServices(in host: ServiceHost.Host) async throws -> [any Service] {
    if behaviour == .refuseConfiguration {
      throw HostError.configuration("--token-key-file can be read by others.")
    }
    return [ExampleService(behaviour: behaviour)]
  }
}

private struct ExampleService: Service {
  struct Failure: Error {}

  let behaviour: ExampleTilesCommand.Behaviour

  func run() async throws {
    switch behaviour {
    case .stopWhenAsked:
      kill(getpid(), SIGTERM)
      try await gracefulShutdown()
    case .stopTwice:
      kill(getpid(), SIGTERM)
      try await gracefulShutdown()
      kill(getpid(), SIGTERM)
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    case .outstayDrain:
      kill(getpid(), SIGTERM)
      try await Task.sleep(for: .seconds(3600))
    case .endUnasked: return
    case .fail: throw Failure()
    case .refuseConfiguration: return
    }
  }
}
