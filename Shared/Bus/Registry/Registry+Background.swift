internal import Dispatch
public import MeetingModel

// Access to the registry's files blocks the thread, and access to a store on another machine may
// block the thread for seconds. So socket threads call the registry through these functions, which
// use their own threads. These functions do not use Swift's thread pool, because this pool has only
// one thread per processor, and all other tasks need these threads.
private func elsewhere<Answer: Sendable>(
  _ ask: @escaping @Sendable () throws(InstanceRegistryError) -> Answer
) async throws(InstanceRegistryError) -> Answer {
  let result: Result<Answer, InstanceRegistryError> = await withCheckedContinuation {
    continuation in
    DispatchQueue.global(qos: .userInitiated).async {
      do throws(InstanceRegistryError) {
        continuation.resume(returning: .success(try ask()))
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
  }
  return try result.get()
}

extension InstanceRegistration {
  /// Sends a heartbeat on a thread other than the caller's.
  ///
  /// - Parameter meetings: The number of the instance's meetings.
  public func beat(meetings: Int = 0) async throws(InstanceRegistryError) {
    try await elsewhere { () throws(InstanceRegistryError) in try heartbeat(meetings: meetings) }
  }

  /// Releases the name on a thread other than the caller's.
  ///
  /// Completes even after the cancellation of the calling task.
  public func giveBack() async {
    try? await elsewhere { () throws(InstanceRegistryError) in withdraw() }
  }
}

extension Registry {
  /// Registers an instance and assigns it a term, on a thread other than the caller's.
  ///
  /// - Throws: ``InstanceRegistryError/instanceIsTaken(_:)`` while another process has the name.
  public func registered(
    _ announcement: InstanceAnnouncement
  ) async throws(InstanceRegistryError) -> any InstanceRegistration {
    try await elsewhere { () throws(InstanceRegistryError) in try register(announcement) }
  }

  /// Returns the live instances of a service, read on a thread other than the caller's.
  public func liveInstances(
    of service: String
  ) async throws(InstanceRegistryError) -> [RegisteredInstance] {
    try await known(instancesOf: service).filter(\.isLive)
  }

  /// Returns the instances of a service, live or not, read on a thread other than the caller's.
  public func known(
    instancesOf service: String
  ) async throws(InstanceRegistryError) -> [RegisteredInstance] {
    try await elsewhere { () throws(InstanceRegistryError) in try instances(of: service) }
  }

  /// Returns the instances of all services, live or not, read on a thread other than the caller's.
  public func allInstances() async throws(InstanceRegistryError) -> [RegisteredInstance] {
    try await elsewhere { () throws(InstanceRegistryError) in
      var all: [RegisteredInstance] = []
      for service in try services() { all += try instances(of: service) }
      return all
    }
  }

  /// Returns the live gateways, read on a thread other than the caller's.
  public func liveGateways() async throws(InstanceRegistryError) -> Set<GatewayName> {
    Set(try await liveInstances(of: "gateway").compactMap { GatewayName($0.instance) })
  }
}
