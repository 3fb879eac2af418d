internal import Dispatch
public import MeetingModel

// The registry's files block, and a store on another machine may do so for seconds: what runs on a
// socket thread asks by these. They take threads of their own for it, for those of Swift's pool are
// as few as processors, and all else waits for them.
private func elsewhere<Answer: Sendable>(
  _ ask: @escaping @Sendable () throws(RegistryError) -> Answer
) async throws(RegistryError) -> Answer {
  let result: Result<Answer, RegistryError> = await withCheckedContinuation { continuation in
    DispatchQueue.global(qos: .userInitiated).async {
      do throws(RegistryError) {
        continuation.resume(returning: .success(try ask()))
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
  }
  return try result.get()
}

extension Registration {
  /// Says that the instance lives, away from the caller's thread.
  ///
  /// - Parameter meetings: How many it has.
  public func beat(meetings: Int = 0) async throws(RegistryError) {
    try await elsewhere { () throws(RegistryError) in try heartbeat(meetings: meetings) }
  }

  /// Gives the name back, away from the caller's thread. Runs to its end also when the calling task
  /// is cancelled.
  public func giveBack() async {
    try? await elsewhere { () throws(RegistryError) in withdraw() }
  }
}

extension Registry {
  /// Announces an instance and gives it a term, away from the caller's thread.
  ///
  /// - Throws: ``RegistryError/instanceIsTaken(_:)`` while another process has the name.
  public func registered(
    _ announcement: InstanceAnnouncement
  ) async throws(RegistryError) -> any Registration {
    try await elsewhere { () throws(RegistryError) in try register(announcement) }
  }

  /// The instances of a service that live, looked up away from the caller's thread.
  public func liveInstances(
    of service: String
  ) async throws(RegistryError) -> [RegisteredInstance] {
    try await known(instancesOf: service).filter(\.isLive)
  }

  /// The instances of a service, live or not, looked up away from the caller's thread.
  public func known(
    instancesOf service: String
  ) async throws(RegistryError) -> [RegisteredInstance] {
    try await elsewhere { () throws(RegistryError) in try instances(of: service) }
  }

  /// The instances of all services, live or not, looked up away from the caller's thread.
  public func allInstances() async throws(RegistryError) -> [RegisteredInstance] {
    try await elsewhere { () throws(RegistryError) in
      var all: [RegisteredInstance] = []
      for service in try services() { all += try instances(of: service) }
      return all
    }
  }

  /// The gateways that live, looked up away from the caller's thread.
  public func liveGateways() async throws(RegistryError) -> Set<GatewayName> {
    Set(try await liveInstances(of: "gateway").compactMap { GatewayName($0.instance) })
  }
}
