public import Bus
internal import Glibc
public import PostgreSQL

/// The registry of several machines: rows in PostgreSQL, and each machine's runtime directory. The
/// runtime directory prevents two processes of one machine from using the same name.
///
/// The store keeps the last term of each service in a table row that no process deletes. The
/// store's clock measures all ages. While the store is unreachable, every call throws
/// ``InstanceRegistryError/storeIsAway(_:)`` within two seconds. Without the store, no instance
/// knows which instance owns a meeting, so no instance takes meetings over.
///
/// Every call blocks until the store answers.
public final class ClusterRegistry: Registry {
  /// The maximum number of attempts to register an instance. This number suffices when a hundred
  /// instances register at the same time.
  private static let mostAttempts = 20

  private let local: RuntimeDirectoryRegistry
  private let store: RegistryStore

  /// Connects to the store at the first call.
  ///
  /// - Parameters:
  ///   - address: The address of the database. The registry makes its tables in the schema
  ///     `carillon_registry`.
  ///   - local: The machine's own registry.
  ///   - host: The name of this machine. No other machine may use the same name.
  public init(_ address: PostgresAddress, beside local: RuntimeDirectoryRegistry, on host: String) {
    self.local = local
    store = RegistryStore(address, askedFrom: host)
  }

  public func register(
    _ announcement: InstanceAnnouncement
  ) throws(InstanceRegistryError) -> any InstanceRegistration {
    // The store chooses a term first. The local registry answers with a higher term if the service
    // has run on this machine without the store, or if another process of this machine has
    // registered in the meantime. In both cases, this process tries again after a random pause.
    var known = announcement.knownTerm
    for attempt in 0..<Self.mostAttempts {
      if attempt > 0 { usleep(.random(in: 0...(5_000 * UInt32(attempt)))) }
      let term = try store.takeTerm(of: announcement.service, above: known)
      var announcement = announcement
      announcement.knownTerm = term - 1
      let held = try local.register(announcement)
      guard held.term == term else {
        known = held.term
        held.withdraw()
        continue
      }
      do throws(InstanceRegistryError) {
        try store.insert(announcement, term: term)
      } catch {
        held.withdraw()
        throw error
      }
      return ClusterRegistration(
        term: term, service: announcement.service, instance: announcement.instance, local: held,
        store: store)
    }
    throw .instanceIsTaken(announcement.instance)
  }

  public func instances(of service: String) throws(InstanceRegistryError) -> [RegisteredInstance] {
    let found = try store.look().filter { $0.service == service }
    guard found.contains(where: { $0.isHere && $0.isLive }) else { return found }
    // When a process of this machine ends, the kernel releases the lock of the process immediately.
    // So no process, on this machine or another machine, has to wait until the heartbeat is old.
    let living = try local.instances(of: service).filter(\.isLive)
    let dead = found.filter { each in
      each.isHere && each.isLive
        && !living.contains { $0.instance == each.instance && $0.term == each.term }
    }
    guard !dead.isEmpty else { return found }
    for each in dead { try store.bury(each.instance, of: service, term: each.term) }
    return try store.look().filter { $0.service == service }
  }

  public func services() throws(InstanceRegistryError) -> [String] {
    Set(try store.look().map(\.service)).sorted()
  }

  public func setDraining(
    _ isDraining: Bool, _ instance: String, of service: String
  ) throws(InstanceRegistryError) {
    let known = try store.look()
    guard known.contains(where: { $0.service == service && $0.instance == instance && $0.isLive })
    else { throw .noInstance(instance) }
    try store.setDraining(isDraining, instance, of: service)
  }
}

private struct ClusterRegistration: InstanceRegistration {
  let term: UInt64
  let service: String
  let instance: String
  let local: any InstanceRegistration
  let store: RegistryStore

  func heartbeat(meetings: Int) throws(InstanceRegistryError) {
    try local.heartbeat(meetings: meetings)
    try store.beat(instance, of: service, term: term, meetings: meetings)
  }

  func withdraw() {
    local.withdraw()
    // If the store is unreachable, this instance's row remains. Other instances regard this
    // instance as dead as soon as its last heartbeat is too old.
    try? store.remove(instance, of: service, term: term)
  }
}
