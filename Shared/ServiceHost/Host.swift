public import Bus
internal import Cluster
public import Logging
public import PostgreSQL

/// What a process hands to the services it runs: its name, its places and its instruments.
///
/// Made once by the ``ServiceCommand`` before `makeServices(in:)`, and a plain value from then on.
public struct Host: Sendable {
  /// The longest name ``ipcPath(_:)`` takes, so that every path fits `unix(7)`.
  static let longestEndpointName = 16

  /// Which service this process is, such as `presence`.
  public let service: String
  /// Which instance of it, such as `presence-a`: unique among the processes that share
  /// ``runtimeDirectory``, which holding a lock there guarantees.
  public let instance: String
  /// Absolute path of the directory of Unix sockets, locks and heartbeats; exists, belongs to this
  /// user and can be entered by nobody else's processes unless the operator opened it.
  public let runtimeDirectory: String
  /// Absolute path of the directory for what must survive a restart. It need not exist:
  /// ``makeDataDirectory()`` makes it.
  public let dataDirectory: String
  /// Where the keys are by which this host's services are known to those of other hosts, if it has
  /// some.
  public let keys: KeyDirectory
  /// What several machines share; `nil` for an installation of this one.
  public let store: PostgresAddress?
  /// Logs to standard error with `service.instance` on every line.
  public let logger: Logger
  /// The checks that services register for `/readyz`.
  public let health: HealthChecks
  /// The metrics that services register for `/metrics`.
  public let metrics: MetricsRegistry
  /// How long services have, after the first signal, to finish what they accepted; then they are
  /// cancelled.
  public let drainDeadline: Duration

  /// A host with these parts; processes get theirs from ``ServiceCommand``, tests make their own.
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

  /// The path of one of this instance's Unix sockets, `<runtime-dir>/<instance>.<name>.sock`.
  ///
  /// - Parameter name: 1-16 of `a`-`z`, `0`-`9` and `-`; `http` is taken by the health endpoints.
  public func ipcPath(_ name: String) -> String {
    path(of: name, extension: "sock")
  }

  /// The path of one of this instance's other files, `<runtime-dir>/<instance>.<name>.<extension>`.
  func path(of name: String, extension: String) -> String {
    precondition(
      InstanceName.isValid(name) && name.utf8.count <= Self.longestEndpointName,
      "An endpoint name is 1-16 of a-z, 0-9 and -; got \(name).")
    return "\(runtimeDirectory)/\(instance).\(name).\(`extension`)"
  }

  /// Where the instances of the installation are found: in the runtime directory, or in the store
  /// that several machines share.
  public func makeRegistry() -> any Registry {
    let local = RuntimeDirectoryRegistry(
      runtimeDirectory: runtimeDirectory, dataDirectory: dataDirectory)
    guard let store else { return local }
    return ClusterRegistry(
      store, beside: local, on: HostName.of(runtimeDirectory: runtimeDirectory))
  }

  /// Makes ``dataDirectory`` with mode 0700 unless it exists.
  ///
  /// - Returns: Its path.
  /// - Throws: ``HostError/configuration(_:)`` if it cannot be made or written to.
  public func makeDataDirectory() throws(HostError) -> String {
    try Directories.makeData(at: dataDirectory)
    return dataDirectory
  }
}
