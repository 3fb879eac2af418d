public import MeetingModel

// The registry's files block: what runs on a socket thread asks by these.
extension Registration {
  /// Says that the instance lives, away from the caller's thread.
  ///
  /// - Parameter meetings: How many it has.
  @concurrent public func beat(meetings: Int = 0) async throws(RegistryError) {
    try heartbeat(meetings: meetings)
  }

  /// Gives the name back, away from the caller's thread. Runs to its end also when the calling task
  /// is cancelled.
  @concurrent public func giveBack() async { withdraw() }
}

extension Registry {
  /// Announces an instance and gives it a term, away from the caller's thread.
  ///
  /// - Throws: ``RegistryError/instanceIsTaken(_:)`` while another process has the name.
  @concurrent public func registered(
    _ announcement: InstanceAnnouncement
  ) async throws(RegistryError) -> any Registration { try register(announcement) }

  /// The instances of a service that live, looked up away from the caller's thread.
  @concurrent public func liveInstances(
    of service: String
  ) async throws(RegistryError) -> [RegisteredInstance] {
    try instances(of: service).filter(\.isLive)
  }

  /// The instances of a service, live or not, looked up away from the caller's thread.
  @concurrent public func known(
    instancesOf service: String
  ) async throws(RegistryError) -> [RegisteredInstance] { try instances(of: service) }

  /// The instances of all services, live or not, looked up away from the caller's thread.
  @concurrent public func allInstances() async throws(RegistryError) -> [RegisteredInstance] {
    var all: [RegisteredInstance] = []
    for service in try services() { all += try instances(of: service) }
    return all
  }

  /// The gateways that live, looked up away from the caller's thread.
  public func liveGateways() async throws(RegistryError) -> Set<GatewayName> {
    Set(try await liveInstances(of: "gateway").compactMap { GatewayName($0.instance) })
  }
}
