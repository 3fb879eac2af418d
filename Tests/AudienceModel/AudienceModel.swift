public import MeetingModel

/// A model of meetings with replicas: which attendees see each other, hear each other, and receive
/// each other's messages. The model follows the original SDK's guide to replica meetings (see
/// `docs/replica-guide.md`), and does not depend on the services.
public struct AudienceModel: Sendable {
  /// A client that is connected to a meeting with the credentials of one of the meeting's
  /// attendees.
  public struct Member: Hashable, Sendable {
    public let meeting: MeetingID
    public let attendee: AttendeeID

    public init(meeting: MeetingID, attendee: AttendeeID) {
      (self.meeting, self.attendee) = (meeting, attendee)
    }
  }

  /// The primary of each replica.
  private var primaries: [MeetingID: MeetingID] = [:]
  private var members: Set<Member> = []
  private var promotions: [Member: AttendeeID] = [:]

  public init() {}

  // MARK: Events

  /// "An attendee in a Replica meeting will receive remote media and metadata from the Primary."
  public mutating func replicate(_ primary: MeetingID, as replica: MeetingID) {
    primaries[replica] = primary
  }

  public mutating func join(_ member: Member) { members.insert(member) }

  /// "Any disconnection will trigger an automatic demotion."
  public mutating func leave(_ member: Member) {
    members.remove(member)
    promotions[member] = nil
  }

  /// "The connection has successfully authenticated as a Primary meeting attendee." An attendee is
  /// in a meeting only once, so a new session replaces an earlier session.
  public mutating func promote(_ member: Member, as attendee: AttendeeID) {
    guard members.contains(member), let primary = primaries[member.meeting] else { return }
    leave(Member(meeting: primary, attendee: attendee))
    for rival in promotions.keys where promotions[rival] == attendee { demote(rival) }
    promotions[member] = attendee
  }

  /// The member reverts "to a view-only, Replica meeting attendee".
  public mutating func demote(_ member: Member) { promotions[member] = nil }

  /// "The demotion can be forced by call to DeleteAttendee."
  public mutating func delete(_ attendee: Member) {
    leave(attendee)
    for member in promotions.keys
    where primaries[member.meeting] == attendee.meeting
      && promotions[member] == attendee.attendee
    { demote(member) }
  }

  /// The end of a primary ends its replicas. The end of a replica affects no other meeting.
  public mutating func end(_ meeting: MeetingID) {
    for member in members where member.meeting == meeting { leave(member) }
    for (replica, primary) in primaries where primary == meeting { end(replica) }
  }

  // MARK: Guarantees

  /// Returns the meeting whose participants the members of `meeting` see: "presence events will be
  /// received for the Primary meeting attendees".
  public func shown(in meeting: MeetingID) -> MeetingID { primaries[meeting] ?? meeting }

  public func isPresent(_ member: Member) -> Bool { members.contains(member) }

  /// Returns the attendee that others see in place of a member; `nil` if others do not see the
  /// member. "Primary meeting attendees will not receive media, data messages, or attendee events
  /// for any Replica meeting attendee". Media of a promoted member is "labeled with the attendee
  /// associated with the credentials".
  public func appearance(of member: Member) -> AttendeeID? {
    guard isPresent(member) else { return nil }
    return primaries[member.meeting] == nil ? member.attendee : promotions[member]
  }

  /// Returns the attendees that every member of a meeting sees.
  public func roster(seenIn meeting: MeetingID) -> Set<AttendeeID> {
    let source = shown(in: meeting)
    return Set(
      members.filter { shown(in: $0.meeting) == source }.compactMap { appearance(of: $0) })
  }

  /// "There will be no callback for attendees of the same Replica meeting that was joined, or any
  /// other Replica meeting."
  public func sees(_ viewer: Member, _ attendee: AttendeeID) -> Bool {
    isPresent(viewer) && roster(seenIn: viewer.meeting).contains(attendee)
  }

  /// Returns whether a member may publish video. Video "can be enabled as normally" by members of
  /// the primary and promoted members. A replica attendee gets `videoAtCapacityViewOnly`.
  public func mayPublish(_ member: Member) -> Bool { appearance(of: member) != nil }

  /// Returns whether a listener hears a speaker. "This will not include any audio from any Replica
  /// meeting attendees"; audio of a promoted attendee is "shared with the Primary meeting and all
  /// Replica meetings".
  public func hears(_ listener: Member, _ speaker: Member) -> Bool {
    reaches(from: speaker, to: listener)
  }

  /// "A replica meeting attendee will receive data messages from Primary meeting attendees. They
  /// will not receive any from other Replica meeting attendees."
  public func getsMessage(_ reader: Member, from sender: Member) -> Bool {
    reaches(from: sender, to: reader)
  }

  private func reaches(from sender: Member, to receiver: Member) -> Bool {
    sender != receiver && isPresent(receiver) && mayPublish(sender)
      && shown(in: sender.meeting) == shown(in: receiver.meeting)
  }
}
