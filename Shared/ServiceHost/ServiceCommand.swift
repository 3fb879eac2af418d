public import ArgumentParser
public import ServiceLifecycle

/// The `main` of a service: flags, their validation, and the services to run.
///
/// ```swift
/// public struct PresenceCommand: ServiceCommand {
///   @OptionGroup public var host: HostOptions
///   @Option(help: "Most attendees one meeting may hold.") var maxAttendees = 250
///
///   public init() {}
///
///   public func makeServices(in host: Host) -> [any Service] {
///     [PresenceService(maxAttendees: maxAttendees, logger: host.logger)]
///   }
/// }
/// ```
///
/// The program calls `await PresenceCommand.main()`, or marks the type with `@main`. The
/// environment can set every flag: `CARILLON_MAX_ATTENDEES=300` has the same effect as
/// `--max-attendees 300` before the flags of the command line. SIGTERM and SIGINT drain the
/// services. A second signal ends the process immediately.
///
/// Exit statuses:
///
/// - 0: the process stopped after a request to stop.
/// - 64: a flag is wrong.
/// - 70: a failure that the log names.
/// - 75: another process uses a port, a socket or the instance's name, or this machine does not
///   have the address.
/// - 78: the environment, a directory, a file or the store is wrong until the operator repairs it.
/// - 128 plus the signal's number: a second signal arrived.
public protocol ServiceCommand: AsyncParsableCommand {
  /// The service's name, such as `video-tiles`. The names of the service's executable, metrics and
  /// instances contain this name.
  ///
  /// By default, the service's name is the type's name without `Command`, in words joined by `-`.
  static var serviceName: String { get }

  /// The flags of every service.
  var host: HostOptions { get }

  /// Makes the services that run until somebody asks the process to stop. In the result, each
  /// service follows the services that it depends on.
  ///
  /// Services stop in reverse order: the process asks a service to stop after all later services
  /// have returned. If a service returns before the host asks the service to stop, the service has
  /// failed. The host calls this method once. Open files and read keys here, so that a mistake
  /// stops the start.
  ///
  /// - Throws: ``HostError/configuration(_:)`` for faults that the operator must correct, or an
  ///   error with a permanent status, such as `failedPrecondition` or `dataLoss`. Any other error
  ///   is an internal failure.
  func makeServices(in host: Host) async throws -> [any Service]
}

extension ServiceCommand {
  public static var serviceName: String {
    var name = ""
    let type = "\(Self.self)"
    for character in type.hasSuffix("Command") ? type.dropLast("Command".count) : type[...] {
      if character.isUppercase, !name.isEmpty { name.append("-") }
      name.append(contentsOf: character.lowercased())
    }
    return name
  }

  public static var configuration: CommandConfiguration {
    commandConfiguration(abstract: "Runs the \(serviceName) service of a Carillon installation.")
  }

  /// Makes the configuration of a service's command with the given description.
  public static func commandConfiguration(
    abstract: String, discussion: String = ""
  ) -> CommandConfiguration {
    CommandConfiguration(
      commandName: serviceName, abstract: abstract, discussion: discussion,
      version: BuildVersion.current)
  }
}
