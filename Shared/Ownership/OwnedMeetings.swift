public import MeetingModel

/// The meetings that an instance owns. Rendezvous hashing distributes the meetings among the
/// instances of a service.
public struct OwnedMeetings: Hashable, Sendable {
  /// The instance.
  public let instance: String

  /// The instances that share the meetings.
  public let membership: OwningInstances

  /// Makes the set of an instance's meetings. An instance outside the membership owns no meetings.
  public init(of instance: String, in membership: OwningInstances) {
    (self.instance, self.membership) = (instance, membership)
  }

  /// Returns whether the instance owns a meeting.
  public func contains(_ meeting: MeetingID) -> Bool {
    membership.owner(of: meeting) == instance
  }

  /// Returns whether the instance may own meetings that it did not own before. This is the case if
  /// another instance disappeared, or if this instance was not a member.
  public func mayGain(since former: OwnedMeetings?) -> Bool {
    guard let former else { return true }
    let here = Set(membership.instances)
    guard here.contains(instance) else { return false }
    return !former.membership.instances.allSatisfy(here.contains)
      || !former.membership.instances.contains(instance)
  }
}
