public import Bus
internal import Cluster
public import Logging
public import PostgreSQL

/// The environment of a process's services: its name, its directories and its instruments.
///
/// The ``ServiceCommand`` makes the host once, before `makeServices(in:)`. The host does not change
/// afterwards.
public struct Host: Sendable {
  /// The maximum length of a name that ``ipcPath(_:)`` accepts. With this limit, every path is
  /// short enough for `unix(7)`.
  static let longestEndpointName = 16

  /// The name of the service, such as `presence`.
  public let service: String
  /// The name of this instance, such as `presence-a`. A lock in ``runtimeDirectory`` makes the name
  /// unique among the processes that share the directory.
  public let instance: String
  /// The absolute path of the directory of Unix sockets, locks and heartbeats.
  ///
  /// The directory exists and belongs to this user. Other users cannot enter the directory unless
  /// the operator permits it.
  public let runtimeDirectory: String
  /// The absolute path of the directory for data that services need after a restart.
  ///
  /// The directory may be missing: ``makeDataDirectory()`` creates it.
  public let dataDirectory: String
  /// The directory for the keys of this host's services. The directory may be empty.
  public let keys: KeyDirectory
  /// The store that several machines share; `nil` for an installation on this machine alone.
  public let store: PostgresAddress?
  /// The logger, which writes to standard error with `service.instance` on every line.
  public let logger: Logger
  /// The checks that services register for `/readyz`.
  public let health: HealthChecks
  /// The metrics that services register for `/metrics`.
  public let metrics: MetricsRegistry
  /// How long services may take after the first signal to finish accepted work. After this time,
  /// the process cancels the services.
  public let drainDeadline: Duration

  /// Makes a host. ``ServiceCommand`` makes the host of a process; tests make their own hosts.
  public init(
    service: String, instance: String, runtimeDirectory: String, dataDirectory: String,
    keys: KeyDirectory? = nil, store: PostgresAddress? = nil, logger: Logger,
    health: HealthChecks = HealthChecks(),
    metrics: MetricsRegistry = MetricsRegistry(), drainDeadline: Duration = .seconds(10)
  ) {
    self.service = service
    self.instance = instance
    self.runtimeDirectory = runtimeDirectory
    self.dataDirectory = dataDirectory
    self.keys = keys ?? KeyDirectory(dataDirectory + "/keys")
    self.store = store
    self.logger = logger
    self.health = health
    self.metrics = metrics
    self.drainDeadline = drainDeadline
  }

  /// Returns the path of one of this instance's Unix sockets,
  /// `<runtime-dir>/<instance>.<name>.sock`.
  ///
  /// - Parameter name: 1-16 characters of `a`-`z`, `0`-`9` and `-`. Only the health endpoints use
  ///   the name `http`.
  public func ipcPath(_ name: String) -> String {
    path(of: name, extension: "sock")
  }

  /// Returns the path of one of this instance's other files,
  /// `<runtime-dir>/<instance>.<name>.<extension>`.
  func path(of name: String, extension: String) -> String {
    precondition(
      InstanceNameRule.isValid(name) && name.utf8.count <= Self.longestEndpointName,
      "An endpoint name is 1-16 of a-z, 0-9 and -; got \(name).")
    return "\(runtimeDirectory)/\(instance).\(name).\(`extension`)"
  }

  /// Makes the registry of the installation's instances. The registry is in the runtime directory,
  /// or in the store that several machines share.
  public func makeRegistry() -> any Registry {
    let local = RuntimeDirectoryRegistry(
      runtimeDirectory: runtimeDirectory, dataDirectory: dataDirectory)
    guard let store else { return local }
    return ClusterRegistry(
      store, beside: local, on: HostIdentity.of(runtimeDirectory: runtimeDirectory))
  }

  /// Makes ``dataDirectory`` with mode 0700 unless it exists.
  ///
  /// - Returns: The path of the directory.
  /// - Throws: ``HostError/configuration(_:)`` if this process cannot create the directory or
  ///   cannot write to it.
  public func makeDataDirectory() throws(HostError) -> String {
    try DirectoryRules.makeData(at: dataDirectory)
    return dataDirectory
  }
}
