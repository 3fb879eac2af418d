/// Among which instances of a service meetings are shared out, as one process sees it.
public struct Membership: Hashable, Sendable {
  /// The instances that live and do not drain, by name.
  public let instances: [String]

  /// One number for all of them, see ``Rendezvous/fingerprint(of:)``.
  public let fingerprint: UInt64

  /// Makes what is seen of these instances, whose order does not matter.
  public init(of instances: [String]) {
    self.instances = Set(instances).sorted()
    fingerprint = Rendezvous.fingerprint(of: instances)
  }

  /// The instance that a meeting belongs to; `nil` if there are none.
  public func owner(of meeting: MeetingID) -> String? {
    instances.count > 1
      ? Rendezvous.owner(of: meeting.text, among: instances) : instances.first
  }
}
