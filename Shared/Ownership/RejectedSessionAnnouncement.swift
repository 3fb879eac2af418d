public import MeetingModel

/// A session that its gateway announced and the owner rejected.
public struct RejectedSessionAnnouncement<Reason: StatusConvertible>: Sendable {
  public let id: SessionID
  public let reason: Reason

  public init(id: SessionID, reason: Reason) {
    self.id = id
    self.reason = reason
  }
}

extension RejectedSessionAnnouncement: Equatable where Reason: Equatable {}
extension RejectedSessionAnnouncement: Hashable where Reason: Hashable {}
