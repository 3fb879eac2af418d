public import MeetingModel

/// One page of the sessions that a gateway announces to a new owner.
///
/// The initializer reads each entry separately. It lists an invalid entry in ``refused``, and
/// continues with the other entries.
public struct SessionAnnouncementPage<Session> {
  /// The announcing gateway.
  public let gateway: GatewayName

  /// A number that changes with each start of the gateway.
  public let run: UInt64

  /// Whether the gateway has no more sessions.
  public let isLast: Bool

  /// The fingerprint of the owners among which the gateway distributes meetings, see
  /// ``OwningInstances/fingerprint``; 0 if the gateway did not report a fingerprint.
  public let membership: UInt64

  /// The valid sessions, in the order received.
  public let sessions: [(meeting: MeetingID, session: Session)]

  /// The invalid entries: the session id as received, and the reason.
  public let refused: [(session: [UInt8], reason: any Error)]

  /// Makes a page from sessions that the caller has read.
  public init(
    of sessions: [(meeting: MeetingID, session: Session)], by gateway: GatewayName, run: UInt64,
    isLast: Bool, seeing membership: UInt64 = 0
  ) {
    (self.gateway, self.run, self.isLast) = (gateway, run, isLast)
    self.membership = membership
    (self.sessions, refused) = (sessions, [])
  }

  /// Reads a page as received.
  ///
  /// - Parameters:
  ///   - entries: The entries, one per session.
  ///   - id: Returns an entry's session id as received.
  ///   - read: Reads one entry. An error rejects that entry alone.
  public init<Entry>(
    reading entries: [Entry], by gateway: GatewayName, run: UInt64, isLast: Bool,
    seeing membership: UInt64 = 0, id: (Entry) -> [UInt8],
    _ read: (Entry) throws -> (MeetingID, Session)
  ) {
    (self.gateway, self.run, self.isLast) = (gateway, run, isLast)
    self.membership = membership
    var sessions: [(meeting: MeetingID, session: Session)] = []
    var refused: [(session: [UInt8], reason: any Error)] = []
    for entry in entries {
      do {
        let (meeting, session) = try read(entry)
        sessions.append((meeting, session))
      } catch {
        refused.append((id(entry), error))
      }
    }
    (self.sessions, self.refused) = (sessions, refused)
  }
}
