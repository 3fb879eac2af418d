import MeetingModel

/// The rights of one session to send and receive media.
///
/// Different authorities set the parts. For example, the client sets ``isMuted``, and an operator
/// sets ``isMutedByOperator``. `media` accepts a packet only if all parts permit it.
struct MediaRights: Hashable, Sendable {
  /// The capabilities of the attendee.
  var capabilities: AttendeeCapabilities

  /// Whether the client has muted itself.
  var isMuted = false

  /// Whether an operator has muted the session.
  var isMutedByOperator = false

  /// Whether the session is a content share, which sends video and sound, and receives nothing.
  let isContent: Bool

  /// Whether the session views the meeting from a replica. Such a session receives audio, but sends
  /// none.
  var isReplica = false

  /// Whether the mix contains the session's audio.
  var mayBeHeard: Bool {
    (isContent ? capabilities.content : capabilities.audio).canSend && !isMuted
      && !isMutedByOperator && !isReplica
  }

  /// Whether `media` reads the packets of a replica's viewer, although no participant hears the
  /// viewer.
  ///
  /// A viewer who is not muted may already speak at the time of a promotion. Other participants
  /// then hear the viewer immediately.
  var isFollowed: Bool { isReplica && !isContent && !isMuted && !isMutedByOperator }

  /// Whether the session receives a mix.
  var mayHear: Bool { capabilities.audio.canReceive && !isContent }

  /// Whether `media` may forward the session's video, to the receivers that `video-tiles` chooses.
  var maySendVideo: Bool {
    (isContent ? capabilities.content : capabilities.video).canSend && !isReplica
  }
}
