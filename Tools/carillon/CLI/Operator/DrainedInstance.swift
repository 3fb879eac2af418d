internal import Bus
internal import Output

/// An instance that an operator drains or undrains.
struct DrainedInstance {
  let service: String
  let instance: String
  private let registry: any Registry

  /// Finds a live instance by name, in the first directory that contains the instance, or on
  /// another machine.
  ///
  /// - Throws: ``CommandFailure`` of code `NOT_FOUND` when there is no such instance.
  static func find(
    _ instance: String, in places: [String], sharing store: StoreOptions
  ) throws -> DrainedInstance {
    for place in places {
      let registry = try store.registry(in: place)
      for service in (try? registry.services()) ?? [] {
        let instances = (try? registry.instances(of: service)) ?? []
        guard instances.contains(where: { $0.instance == instance && $0.isLive }) else { continue }
        return DrainedInstance(service: service, instance: instance, registry: registry)
      }
    }
    throw InstanceRegistryError.noInstance(instance).status
  }

  func set(isDraining: Bool) throws {
    do { try registry.setDraining(isDraining, instance, of: service) } catch {
      throw error.status
    }
  }

  /// Returns whether the service has another live instance that is not draining.
  func hasSuccessor() throws -> Bool {
    try registry.instances(of: service)
      .contains { $0.isLive && !$0.isDraining && $0.instance != instance }
  }

  /// Reads the instance's current state.
  func look() throws -> RegisteredInstance {
    guard let found = try registry.instances(of: service).first(where: { $0.instance == instance })
    else { throw InstanceRegistryError.noInstance(instance).status }
    return found
  }

  /// Waits until the instance has no meetings.
  ///
  /// - Throws: ``CommandFailure`` when the instance still has meetings after the time limit.
  func awaitEmpty(within limit: Duration) async throws -> RegisteredInstance {
    let deadline = ContinuousClock.now + limit
    // The present heartbeat may be from before the request to drain.
    let settled = ContinuousClock.now + .seconds(1)
    while true {
      let found = try look()
      if found.meetings == 0, ContinuousClock.now >= settled { return found }
      guard ContinuousClock.now < deadline else {
        throw CommandFailure.unavailable(
          """
          \(instance) still has \(found.meetings) meetings, and continues to move them to other \
          instances; wait, and see `carillon services`.
          """)
      }
      // The command can only poll heartbeats.
      try await Task.sleep(for: .milliseconds(100))
    }
  }
}

extension RegisteredInstance {
  /// The record that the command prints for a drained instance.
  var record: OutputRecord {
    [
      "service": .text(service), "instance": .text(instance), "is_draining": .bool(isDraining),
      "meetings": JSONValue(meetings),
    ]
  }
}
