public import MeetingModel

/// Who may see, hear and reach whom where meetings have replicas, as the guide on replica meetings
/// has it. It is written from the guide, and knows nothing of services.
public struct AudienceModel: Sendable {
  /// Somebody who is connected to a meeting with the credentials of one of its attendees.
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

  // MARK: What happens

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

  /// "The connection has successfully authenticated as a Primary meeting attendee." One attendee is
  /// in a meeting once: whoever was there as the same one is not any more.
  public mutating func promote(_ member: Member, as attendee: AttendeeID) {
    guard members.contains(member), let primary = primaries[member.meeting] else { return }
    leave(Member(meeting: primary, attendee: attendee))
    for rival in promotions.keys where promotions[rival] == attendee { demote(rival) }
    promotions[member] = attendee
  }

  /// It reverts "to a view-only, Replica meeting attendee".
  public mutating func demote(_ member: Member) { promotions[member] = nil }

  /// "The demotion can be forced by call to DeleteAttendee."
  public mutating func delete(_ attendee: Member) {
    leave(attendee)
    for member in promotions.keys
    where primaries[member.meeting] == attendee.meeting
      && promotions[member] == attendee.attendee
    { demote(member) }
  }

  /// Ending a primary ends its replicas; ending a replica touches neither its primary nor others.
  public mutating func end(_ meeting: MeetingID) {
    for member in members where member.meeting == meeting { leave(member) }
    for (replica, primary) in primaries where primary == meeting { end(replica) }
  }

  // MARK: What follows

  /// The meeting that is shown to its members: "presence events will be received for the Primary
  /// meeting attendees".
  public func shown(in meeting: MeetingID) -> MeetingID { primaries[meeting] ?? meeting }

  public func isPresent(_ member: Member) -> Bool { members.contains(member) }

  /// As whom others know a member; `nil`: as nobody. "Primary meeting attendees will not receive
  /// media, data messages, or attendee events for any Replica meeting attendee", and what a
  /// promoted one does is "labeled with the attendee associated with the credentials".
  public func appearance(of member: Member) -> AttendeeID? {
    guard isPresent(member) else { return nil }
    return primaries[member.meeting] == nil ? member.attendee : promotions[member]
  }

  /// Whom everybody sees who is in a meeting.
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

  /// Video "can be enabled as normally" by who is in the primary or promoted; a replica attendee is
  /// told `videoAtCapacityViewOnly`.
  public func mayPublish(_ member: Member) -> Bool { appearance(of: member) != nil }

  /// "This will not include any audio from any Replica meeting attendees"; audio of a promoted one
  /// is "shared with the Primary meeting and all Replica meetings".
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
