public import ArgumentParser
internal import Bus
internal import Glibc
public import Logging
internal import PostgreSQL

/// The flags of every service.
public struct HostOptions: ParsableArguments {
  /// The directory of Unix sockets, locks and heartbeats; `nil` for the default.
  @Option(
    help: ArgumentHelp(
      "Directory of Unix sockets, locks and heartbeats.",
      discussion: """
        The service creates it with mode 0700, and refuses one that belongs to another user or \
        that others can write to. Default: /run/carillon, else $XDG_RUNTIME_DIR/carillon, else \
        /tmp/carillon-UID.
        """),
    completion: .directory)
  public var runtimeDir: String?

  /// The name of this instance; `nil` means the service's name with the suffix `-a`.
  @Option(
    help:
      """
      Name of this instance, [a-z0-9-]{1,32}. auto: the service's name and a suffix that no other \
      process uses. Default: the service's name and -a.
      """)
  public var instance: String?

  /// The directory for data that the service needs after a restart; `nil` for the default.
  @Option(
    help: ArgumentHelp(
      "Directory for data that must survive a restart.",
      discussion: """
        Services that store data create it with mode 0700. Default: /var/lib/carillon if writable, \
        else $XDG_STATE_HOME/carillon, else ~/.local/state/carillon.
        """),
    completion: .directory)
  public var dataDir: String?

  /// The directory of the keys that identify hosts to each other; `nil` for the default.
  @Option(
    help: ArgumentHelp(
      "Directory of the keys by which hosts authenticate each other; see carillon keys init.",
      discussion: "Default: <data-dir>/keys."),
    completion: .directory)
  public var keyDir: String?

  /// The address of the store that several machines share; `nil` for files on this machine.
  @Option(
    help: ArgumentHelp(
      "PostgreSQL database of an installation on several machines: postgresql://USER@HOST/NAME.",
      discussion: """
        It stores meetings, messages, events and the registry of instances, in schemas whose names \
        begin with carillon_. PGPASSWORD or PGPASSFILE can supply the password. Default: files in \
        the data directory, for one machine.
        """,
      valueName: "uri"))
  public var store: String?

  /// The format of log lines on standard error.
  @Option(help: "Format of the log lines on standard error.")
  public var logFormat = LogFormat.text

  /// The least severe level that the process logs.
  @Option(help: "Lowest level that the service logs.")
  public var logLevel = Logger.Level.info

  /// How many seconds a stop may take, 0-3600. After this time, the process cancels services that
  /// still run.
  @Option(help: "Maximum seconds of a stop, 0-3600. Then the service cancels all remaining work.")
  public var drainSeconds = 10

  /// An additional port of 127.0.0.1 for health and metrics; `nil` means no port, and 0 means any
  /// free port.
  @Option(
    help: ArgumentHelp(
      "Also serve /livez, /readyz and /metrics on this port of 127.0.0.1; 0 picks a free port.",
      discussion:
        "The service always serves them on the Unix socket <runtime-dir>/<instance>.http.sock."))
  public var healthPort: Int?

  /// Whether the process only checks its flags and environment, and then exits.
  @Flag(
    help: ArgumentHelp(
      "Check the flags and the environment, and exit.",
      discussion:
        """
        Checks every setting and every rule about several settings. Opens and creates nothing, so \
        it does not check files, ports and stores. Exit status 0, or the status with which a start \
        would fail.
        """))
  public var checkConfiguration = false

  public init() {}

  public func validate() throws {
    if let instance, !InstanceNameRule.isValid(instance) {
      throw ValidationError("--instance must be 1-32 of a-z, 0-9 and -; got \(instance).")
    }
    guard (0...3600).contains(drainSeconds) else {
      throw ValidationError("--drain-seconds must be 0-3600; got \(drainSeconds).")
    }
    if let healthPort, !(0...65_535).contains(healthPort) {
      throw ValidationError("--health-port must be 0-65535; got \(healthPort).")
    }
    if let store {
      do { _ = try PostgresAddress(store) } catch {
        throw ValidationError("--store cannot be used: \(error)")
      }
    }
    let directories = [
      ("--runtime-dir", runtimeDir), ("--data-dir", dataDir), ("--key-dir", keyDir),
    ]
    for (flag, directory) in directories {
      guard let directory else { continue }
      guard !directory.isEmpty else { throw ValidationError("\(flag) must not be empty.") }
    }
  }

  /// Returns the instance name that these flags specify.
  func instanceName(of service: String) -> String {
    guard instance == InstanceNameGenerator.word else { return instance ?? "\(service)-a" }
    return "\(service)-\(InstanceNameGenerator.suffix(of: getpid()) ?? "a")"
  }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
