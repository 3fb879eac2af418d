extension RegisteredInstance {
  /// Makes a record from an announcement and the given properties, without a runtime directory.
  ///
  /// - Parameters:
  ///   - term: The term of the instance's current or latest run.
  ///   - processID: The id, on the instance's host, of the process that registered the instance.
  ///   - startedAt: The time of registration, in milliseconds since 1970.
  ///   - isHere: Whether the instance is on the reader's host.
  public init(
    _ announcement: InstanceAnnouncement, term: UInt64, processID: Int32, startedAt: UInt64,
    isLive: Bool, isHere: Bool
  ) {
    self.init(
      service: announcement.service, instance: announcement.instance,
      endpoints: announcement.endpoints, term: term, processID: processID, startedAt: startedAt,
      isLive: isLive)
    clusterEndpoints = announcement.clusterEndpoints
    host = announcement.host
    self.isHere = isHere
  }
}
