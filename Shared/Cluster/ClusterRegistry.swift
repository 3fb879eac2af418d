public import Bus
internal import Glibc
public import PostgreSQL

/// The registry of several machines: rows in PostgreSQL, beside the runtime directory of each,
/// which keeps two processes of one machine from having one name.
///
/// Terms are counted in a row that is never deleted. What is judged by time is judged by the
/// store's clock. While the store is away every call throws
/// ``RegistryError/storeIsAway(_:)`` within two seconds: nobody can tell then who owns what, and
/// nobody takes anything over.
///
/// All calls block for as long as the store takes.
public final class ClusterRegistry: Registry {
  /// A hundred instances that come at once all come in.
  private static let mostAttempts = 20

  private let local: RuntimeDirectoryRegistry
  private let store: RegistryStore

  /// Connects with the first call.
  ///
  /// - Parameters:
  ///   - address: Of the database; the tables are made in its schema `carillon_registry`.
  ///   - local: The machine's own registry.
  ///   - host: The machine's name, which no other one has.
  public init(_ address: PostgresAddress, beside local: RuntimeDirectoryRegistry, on host: String) {
    self.local = local
    store = RegistryStore(address, askedFrom: host)
  }

  public func register(
    _ announcement: InstanceAnnouncement
  ) throws(RegistryError) -> any Registration {
    // The store counts first: a service that was on this machine alone may have counted higher.
    // Others of this machine that come at the same moment count in between; then both begin anew,
    // each after another while.
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
      do throws(RegistryError) {
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

  public func instances(of service: String) throws(RegistryError) -> [RegisteredInstance] {
    let found = try store.look().filter { $0.service == service }
    guard found.contains(where: { $0.isHere && $0.isLive }) else { return found }
    // A process of this machine that has died gives its lock back at once: nobody need wait until
    // its heartbeat is old, here or elsewhere.
    let living = try local.instances(of: service).filter(\.isLive)
    let dead = found.filter { each in
      each.isHere && each.isLive
        && !living.contains { $0.instance == each.instance && $0.term == each.term }
    }
    guard !dead.isEmpty else { return found }
    for each in dead { try store.bury(each.instance, of: service, term: each.term) }
    return try store.look().filter { $0.service == service }
  }

  public func services() throws(RegistryError) -> [String] {
    Set(try store.look().map(\.service)).sorted()
  }

  public func setDraining(
    _ isDraining: Bool, _ instance: String, of service: String
  ) throws(RegistryError) {
    let known = try store.look()
    guard known.contains(where: { $0.service == service && $0.instance == instance && $0.isLive })
    else { throw .noInstance(instance) }
    try store.setDraining(isDraining, instance, of: service)
  }
}

private struct ClusterRegistration: Registration {
  let term: UInt64
  let service: String
  let instance: String
  let local: any Registration
  let store: RegistryStore

  func heartbeat(meetings: Int) throws(RegistryError) {
    try local.heartbeat(meetings: meetings)
    try store.beat(instance, of: service, term: term, meetings: meetings)
  }

  func withdraw() {
    local.withdraw()
    // A store that is away forgets the instance by itself.
    try? store.remove(instance, of: service, term: term)
  }
}
