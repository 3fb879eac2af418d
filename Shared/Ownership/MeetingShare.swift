public import MeetingModel

/// Which meetings belong to an instance: those that rendezvous hashing gives it among the
/// instances of its service.
public struct MeetingShare: Hashable, Sendable {
  /// The instance.
  public let instance: String

  /// Among which instances meetings are shared out.
  public let membership: Membership

  /// The share of an instance, which need not be among them: it then has none.
  public init(of instance: String, in membership: Membership) {
    (self.instance, self.membership) = (instance, membership)
  }

  /// Whether a meeting belongs to the instance.
  public func contains(_ meeting: MeetingID) -> Bool {
    membership.owner(of: meeting) == instance
  }

  /// Whether there are meetings that belong to the instance and did not before: somebody is gone,
  /// or it was not there itself.
  public func mayGain(since former: MeetingShare?) -> Bool {
    guard let former else { return true }
    let here = Set(membership.instances)
    guard here.contains(instance) else { return false }
    return !former.membership.instances.allSatisfy(here.contains)
      || !former.membership.instances.contains(instance)
  }
}
