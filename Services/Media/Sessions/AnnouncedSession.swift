import MeetingModel

/// A session as a gateway described it when it asked to admit it, checked.
struct AnnouncedSession {
  let meeting: MeetingID
  let session: SessionID
  let identity: ParticipantIdentity
  let rights: SendRights
  let ticket: MediaTicket

  /// Whom it is heard as in the primary, while it is promoted.
  let promotedAs: ParticipantIdentity?

  let audioMode: AudioMode
  let audio: MediaDirection
  let isVoiceFocusEnabled: Bool

  /// 0: media chooses.
  let sendSSRC: UInt32

  /// 0: media chooses.
  let receiveSSRC: UInt32
  let gateway: GatewayName
  let gatewayRun: UInt64

  /// When its client came with it to the gateway, in milliseconds since 1970-01-01T00:00:00Z; 0:
  /// not known.
  let openedAtMs: UInt64
}
