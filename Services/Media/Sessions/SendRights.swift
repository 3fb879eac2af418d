import MeetingModel

/// The rights of one session to send and receive media.
///
/// A different authority sets each part. `media` accepts a packet only if all parts allow it.
struct SendRights: Hashable, Sendable {
  /// The capabilities of the attendee.
  var capabilities: AttendeeCapabilities

  /// Whether the client has muted itself.
  var isMuted = false

  /// Whether an operator has muted the session.
  var isMutedByOperator = false

  /// Whether the session is a content share, which has no voice.
  let isContent: Bool

  /// Whether the session views the meeting from a replica. Such a session receives audio, but sends
  /// none.
  var isReplica = false

  /// Whether the mix contains the session's audio.
  var mayBeHeard: Bool {
    capabilities.audio.canSend && !isMuted && !isMutedByOperator && !isContent && !isReplica
  }

  /// Whether `media` follows the packets of a replica's viewer, although no participant hears the
  /// viewer.
  ///
  /// The viewer has a voice that is not muted, so other participants can hear the viewer directly
  /// after a promotion.
  var isFollowed: Bool { isReplica && !isContent && !isMuted && !isMutedByOperator }

  /// Whether the session receives a mix.
  var mayHear: Bool { capabilities.audio.canReceive && !isContent }

  /// Whether `media` may forward the session's video, to the receivers that `video-tiles` chooses.
  var maySendVideo: Bool {
    (isContent ? capabilities.content : capabilities.video).canSend && !isReplica
  }
}
