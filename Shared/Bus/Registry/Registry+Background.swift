public import MeetingModel

// The registry's files block: what runs on a socket thread asks by these.
extension Registration {
  /// Says that the instance lives, away from the caller's thread.
  @concurrent public func beat() async throws(RegistryError) { try heartbeat() }
}

extension Registry {
  /// The instances of a service that live, looked up away from the caller's thread.
  @concurrent public func liveInstances(
    of service: String
  ) async throws(RegistryError) -> [RegisteredInstance] {
    try instances(of: service).filter(\.isLive)
  }

  /// The gateways that live, looked up away from the caller's thread.
  public func liveGateways() async throws(RegistryError) -> Set<GatewayName> {
    Set(try await liveInstances(of: "gateway").compactMap { GatewayName($0.instance) })
  }
}
