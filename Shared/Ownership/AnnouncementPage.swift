public import MeetingModel

/// One part of what a gateway says of its sessions to an owner that does not know them.
///
/// Each entry is read by itself: one that cannot be read is named in ``refused`` and harms no
/// other.
public struct AnnouncementPage<Session> {
  /// Who announces.
  public let gateway: GatewayName

  /// Differs after each start of the gateway.
  public let run: UInt64

  /// Whether the gateway has no more sessions.
  public let isLast: Bool

  /// Among which owners the gateway shares meetings out, see ``Membership/fingerprint``; 0: it does
  /// not say.
  public let membership: UInt64

  /// What could be read, in the order in which it came.
  public let sessions: [(meeting: MeetingID, session: Session)]

  /// The entries that could not be read, by their session's id as it came, and why.
  public let refused: [(session: [UInt8], reason: any Error)]

  /// A part whose sessions have been read.
  public init(
    of sessions: [(meeting: MeetingID, session: Session)], by gateway: GatewayName, run: UInt64,
    isLast: Bool, seeing membership: UInt64 = 0
  ) {
    (self.gateway, self.run, self.isLast) = (gateway, run, isLast)
    self.membership = membership
    (self.sessions, refused) = (sessions, [])
  }

  /// Reads a part as it arrived.
  ///
  /// - Parameters:
  ///   - entries: Each describes one session.
  ///   - id: An entry's session id, as it came.
  ///   - read: Reads one entry; what it throws refuses that entry alone.
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
