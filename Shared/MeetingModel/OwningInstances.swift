/// One process's view of the instances that share the meetings of a service.
public struct OwningInstances: Hashable, Sendable {
  /// The instances that are live and not draining, sorted by name.
  public let instances: [String]

  /// A number that identifies the set of instances, see ``RendezvousHashing/fingerprint(of:)``.
  public let fingerprint: UInt64

  /// Creates a membership from these instances, in any order.
  public init(of instances: [String]) {
    self.instances = Set(instances).sorted()
    fingerprint = RendezvousHashing.fingerprint(of: instances)
  }

  /// Returns the instance that owns a meeting; `nil` if there are no instances.
  public func owner(of meeting: MeetingID) -> String? {
    instances.count > 1
      ? RendezvousHashing.owner(of: meeting.text, among: instances) : instances.first
  }
}
