public import MeetingModel
public import ZeroMQ

/// Where the instances of each service are, and which of them live.
///
/// On one machine the registry is the runtime directory. A meeting belongs to the live instance
/// that rendezvous hashing names; the term of an instance fences what it said in an earlier life.
public protocol Registry: Sendable {
  /// Announces an instance and gives it a term above every earlier one of the service.
  ///
  /// - Throws: ``RegistryError/instanceIsTaken(_:)`` while another process has the name.
  func register(_ announcement: InstanceAnnouncement) throws(RegistryError) -> any Registration

  /// The instances of a service, live or not, by name.
  func instances(of service: String) throws(RegistryError) -> [RegisteredInstance]

  /// The services that have instances, by name.
  func services() throws(RegistryError) -> [String]

  /// Has an instance hand its meetings, or its clients, to the others, or take part again. It ends
  /// with the instance's present life.
  ///
  /// - Throws: ``RegistryError/noInstance(_:)`` unless the service has a live instance of this
  ///   name.
  func setDraining(
    _ isDraining: Bool, _ instance: String, of service: String
  ) throws(RegistryError)
}

extension Registry {
  /// The instance that owns a meeting: rendezvous hashing over those that live names the same one
  /// everywhere, and moves as few meetings as can be when an instance comes or goes.
  ///
  /// - Returns: `nil` when no instance of the service lives.
  public func owner(
    of meeting: MeetingID, in service: String
  ) throws(RegistryError) -> RegisteredInstance? {
    let live = try instances(of: service).filter(\.isLive)
    let name = live.membership.owner(of: meeting)
    return live.first { $0.instance == name }
  }

  /// The instances among which the meetings of a service are shared out now.
  public func membership(of service: String) throws(RegistryError) -> Membership {
    try instances(of: service).filter(\.isLive).membership
  }
}

extension [RegisteredInstance] {
  /// Among which of these, which live, meetings are shared out: those that do not drain. Where all
  /// do, they have nobody to hand their meetings to.
  public var membership: Membership {
    let staying = filter { !$0.isDraining }
    return Membership(of: (staying.isEmpty ? self : staying).map(\.instance))
  }
}

/// An instance's hold on its name.
public protocol Registration: Sendable {
  /// Rises with every start of any instance of the service.
  var term: UInt64 { get }

  /// Says that the instance lives, and how many meetings it has; due every second.
  func heartbeat(meetings: Int) throws(RegistryError)

  /// Gives the name back: the instance is about to stop.
  func withdraw()
}

extension Registration {
  /// Says that an instance lives that has no meetings.
  public func heartbeat() throws(RegistryError) { try heartbeat(meetings: 0) }
}

/// What an instance says of itself.
public struct InstanceAnnouncement: Hashable, Sendable {
  /// The service, for example `presence`.
  public var service: String

  /// The name of the instance, for example `presence-a`.
  public var instance: String

  /// Where it listens on its own host, by purpose: `rpc`, `events`, `client`, `operator`.
  public var endpoints: [String: String]

  /// Where those of other hosts reach it, by purpose: `tcp://HOST:PORT?curve=KEY`. What is not here
  /// is for its own host only.
  public var clusterEndpoints: [String: String]

  /// The host it is on, as ``HostName`` names it; empty: that of whoever looks.
  public var host: String

  /// A term that others have seen of the instance: its new one is above that, too. 0: none.
  public var knownTerm: UInt64 = 0

  /// Collects what the registry has to know.
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

/// An instance as the registry has it.
public struct RegisteredInstance: Hashable, Sendable {
  /// The service, for example `presence`.
  public let service: String

  /// The instance, for example `presence-a`.
  public let instance: String

  /// Where it listens on its own host, by purpose: `rpc`, `events`, `client`, `operator`.
  public let endpoints: [String: String]

  /// Where those of other hosts reach it, by purpose: `tcp://HOST:PORT?curve=KEY`.
  public var clusterEndpoints: [String: String] = [:]

  /// The host it is on, as ``HostName`` names it; empty if it did not say.
  public var host = ""

  /// Whether that is the host of whoever looks: the registry that was asked says so.
  public var isHere = true

  /// The term of its present life, or of its last one.
  public let term: UInt64

  /// The process that registered it.
  public let processID: Int32

  /// When the instance registered, in milliseconds since 1970.
  public let startedAt: UInt64

  /// Whether its process holds the name and its heartbeat is not older than three seconds.
  public let isLive: Bool

  /// Whether an operator has it hand its meetings, or its clients, to the others.
  public var isDraining = false

  /// How many meetings it had at its last heartbeat.
  public var meetings = 0

  /// Where whoever looks reaches it for a purpose: by a Unix socket on the same host, else over
  /// tcp, encrypted.
  ///
  /// - Throws: ``RegistryError/noEndpoint(instance:purpose:)`` when there is no such way.
  public func endpoint(_ purpose: String) throws(RegistryError) -> Endpoint {
    let text = isHere ? endpoints[purpose] : clusterEndpoints[purpose]
    guard let text, let endpoint = try? Endpoint(text), isHere || endpoint.serverKey != nil else {
      throw .noEndpoint(instance: instance, purpose: purpose)
    }
    return endpoint
  }
}
