public import ArgumentParser
public import ServiceLifecycle

/// The whole `main` of a service: flags, their validation, and the list of what runs.
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
/// The executable is `await PresenceCommand.main()`, or the type itself with `@main`. Every flag
/// can be set in the environment: `CARILLON_MAX_ATTENDEES=300` is `--max-attendees 300` placed
/// before the real flags. SIGTERM and SIGINT drain; a second one ends the process at once.
///
/// Exit statuses: 0 stopped as asked, 64 wrong flags, 70 a failure the log names, 78 the
/// environment, a directory, a file or the store is wrong until somebody puts it right, 128 plus
/// the signal's number after a second signal.
public protocol ServiceCommand: AsyncParsableCommand {
  /// The service's name, such as `video-tiles`: of its executable, its metrics, its instances.
  ///
  /// The service's name; by default that of the type without `Command`, in words joined by `-`.
  static var serviceName: String { get }

  /// The flags every service has.
  var host: HostOptions { get }

  /// Everything that runs until the process is asked to stop, each after what it depends on.
  ///
  /// When the process is asked to stop, each is told so when those after it have returned; one that
  /// returns before its turn is a failure. Called once. Opening files and reading keys belong here,
  /// so that a mistake stops the start.
  ///
  /// - Throws: ``HostError/configuration(_:)`` for what the operator must change, or an error whose
  ///   status says so, such as `failedPrecondition` and `dataLoss`; anything else is an internal
  ///   failure.
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

  /// The configuration of a service's command with a description of its own.
  public static func commandConfiguration(
    abstract: String, discussion: String = ""
  ) -> CommandConfiguration {
    CommandConfiguration(
      commandName: serviceName, abstract: abstract, discussion: discussion,
      version: BuildVersion.current)
  }
}
