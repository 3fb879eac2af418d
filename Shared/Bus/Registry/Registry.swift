public import MeetingModel
public import ZeroMQ

/// The directory of each service's instances. The registry also records whether the instances are
/// live.
///
/// On one machine, the registry is the runtime directory. A meeting belongs to the live instance
/// that rendezvous hashing selects. The term in a message shows whether the message is from the
/// instance's current run or from an earlier run.
public protocol Registry: Sendable {
  /// Registers an instance, and assigns the instance a term that is higher than every earlier term
  /// of the service.
  ///
  /// - Throws: ``InstanceRegistryError/instanceIsTaken(_:)`` while another process has the name.
  func register(_ announcement: InstanceAnnouncement) throws(InstanceRegistryError)
    -> any InstanceRegistration

  /// Returns the instances of a service, live or not, sorted by name.
  func instances(of service: String) throws(InstanceRegistryError) -> [RegisteredInstance]

  /// Returns the services that have instances, sorted by name.
  func services() throws(InstanceRegistryError) -> [String]

  /// Sets whether an instance drains. A draining instance hands its meetings or clients over to
  /// other instances.
  ///
  /// The setting ends with the instance's current run.
  ///
  /// - Throws: ``InstanceRegistryError/noInstance(_:)`` unless the service has a live instance of
  ///   this name.
  func setDraining(
    _ isDraining: Bool, _ instance: String, of service: String
  ) throws(InstanceRegistryError)
}

extension Registry {
  /// Returns the instance that owns a meeting.
  ///
  /// Rendezvous hashing over the live instances selects the same owner in every process. When an
  /// instance starts or stops, as few meetings as possible change their owner.
  ///
  /// - Returns: The owner, or `nil` when no instance of the service is live.
  public func owner(
    of meeting: MeetingID, in service: String
  ) throws(InstanceRegistryError) -> RegisteredInstance? {
    let live = try instances(of: service).filter(\.isLive)
    let name = live.membership.owner(of: meeting)
    return live.first { $0.instance == name }
  }

  /// Returns the instances that currently share the meetings of a service.
  public func membership(of service: String) throws(InstanceRegistryError) -> OwningInstances {
    try instances(of: service).filter(\.isLive).membership
  }
}

extension [RegisteredInstance] {
  /// The live instances that share meetings: all live instances that are not draining.
  ///
  /// If all live instances are draining, all live instances share the meetings, because no other
  /// instance can take over.
  public var membership: OwningInstances {
    let staying = filter { !$0.isDraining }
    return OwningInstances(of: (staying.isEmpty ? self : staying).map(\.instance))
  }
}

/// The registration of an instance under its name.
public protocol InstanceRegistration: Sendable {
  /// The term, which rises with every start of any instance of the service.
  var term: UInt64 { get }

  /// Sends a heartbeat with the number of meetings. Call this method every second.
  func heartbeat(meetings: Int) throws(InstanceRegistryError)

  /// Releases the name. Call this method when the instance is about to stop.
  func withdraw()
}

extension InstanceRegistration {
  /// Sends the heartbeat of an instance without meetings.
  public func heartbeat() throws(InstanceRegistryError) { try heartbeat(meetings: 0) }
}

/// The properties that an instance announces.
public struct InstanceAnnouncement: Hashable, Sendable {
  /// The service, for example `presence`.
  public var service: String

  /// The name of the instance, for example `presence-a`.
  public var instance: String

  /// The endpoints on the instance's own host, by purpose: `rpc`, `events`, `client`, `operator`.
  public var endpoints: [String: String]

  /// The endpoints for other hosts, by purpose: `tcp://HOST:PORT?curve=KEY`.
  ///
  /// If a purpose is missing here, the instance serves this purpose only on its own host.
  public var clusterEndpoints: [String: String]

  /// The instance's host, as named by ``HostIdentity``; empty for the reader's host.
  public var host: String

  /// A term that other processes have already seen from this instance; 0 if there is none. The
  /// registry assigns a new term above this term.
  public var knownTerm: UInt64 = 0

  /// Makes an announcement for the registry.
  public init(
    service: String, instance: String, endpoints: [String: String],
    clusterEndpoints: [String: String] = [:], host: String = ""
  ) {
    self.service = service
    self.instance = instance
    self.endpoints = endpoints
    self.clusterEndpoints = clusterEndpoints
    self.host = host
  }
}

/// An instance as recorded in the registry.
public struct RegisteredInstance: Hashable, Sendable {
  /// The service, for example `presence`.
  public let service: String

  /// The instance, for example `presence-a`.
  public let instance: String

  /// The endpoints on the instance's own host, by purpose: `rpc`, `events`, `client`, `operator`.
  public let endpoints: [String: String]

  /// The endpoints for other hosts, by purpose: `tcp://HOST:PORT?curve=KEY`.
  public var clusterEndpoints: [String: String] = [:]

  /// The instance's host, as named by ``HostIdentity``; empty if the instance did not report its
  /// host.
  public var host = ""

  /// Whether the instance's host is the reader's host, as determined by the registry.
  public var isHere = true

  /// The term of the instance's current or latest run.
  public let term: UInt64

  /// The id of the process that registered the instance.
  public let processID: Int32

  /// The time at which the instance registered, in milliseconds since 1970.
  public let startedAt: UInt64

  /// Whether the registry regards the instance as live. In the registry of one machine, the process
  /// of a live instance has the lock, and the instance's latest heartbeat is at most three seconds
  /// old. `LiveInstances` describes the rule for the registry of several machines.
  public let isLive: Bool

  /// Whether an operator asked the instance to hand its meetings or clients over to other
  /// instances.
  public var isDraining = false

  /// The number of the instance's meetings at its latest heartbeat.
  public var meetings = 0

  /// Returns the endpoint through which the reader's process reaches the instance for this purpose.
  /// On the same host, the endpoint is a Unix socket. On another host, the endpoint is an encrypted
  /// tcp address.
  ///
  /// - Throws: ``InstanceRegistryError/noEndpoint(instance:purpose:)`` when there is no such
  ///   endpoint.
  public func endpoint(_ purpose: String) throws(InstanceRegistryError) -> Endpoint {
    let text = isHere ? endpoints[purpose] : clusterEndpoints[purpose]
    guard let text, let endpoint = try? Endpoint(text), isHere || endpoint.serverKey != nil else {
      throw .noEndpoint(instance: instance, purpose: purpose)
    }
    return endpoint
  }
}
