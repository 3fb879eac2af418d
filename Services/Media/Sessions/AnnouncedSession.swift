import MeetingModel

/// The validated description of a session that a gateway admits to `media`.
struct AnnouncedSession {
  let meeting: MeetingID
  let session: SessionID
  let identity: ParticipantIdentity
  let rights: MediaRights
  let ticket: MediaTicket

  /// The primary's attendee as whom a promoted session speaks; `nil` if the session is not
  /// promoted.
  let promotedAs: ParticipantIdentity?

  let audioMode: AudioMode
  let audio: MediaDirection
  let isVoiceFocusEnabled: Bool

  /// The SSRC of the audio that the client sends. If the value is 0, `media` chooses an SSRC.
  let sendSSRC: UInt32

  /// The SSRC of the mix. If the value is 0, `media` chooses an SSRC.
  let receiveSSRC: UInt32
  let gateway: GatewayName
  let gatewayRun: UInt64

  /// The time at which the client opened the session at the gateway, in milliseconds since
  /// 1970-01-01T00:00:00Z; 0 if unknown.
  let openedAtMs: UInt64
}
