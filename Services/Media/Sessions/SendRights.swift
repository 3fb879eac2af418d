import MeetingModel

/// What one session may send and get, each part set by another authority: all must allow a packet.
struct SendRights: Hashable, Sendable {
  /// What the attendee may do.
  var capabilities: AttendeeCapabilities

  /// The client's own mute.
  var isMuted = false

  /// Server-side mute.
  var isMutedByOperator = false

  /// It shares content, and has no voice.
  let isContent: Bool

  /// It watches from a replica: it hears and is not heard.
  var isReplica = false

  /// Its audio goes into the mix.
  var mayBeHeard: Bool {
    capabilities.audio.canSend && !isMuted && !isMutedByOperator && !isContent && !isReplica
  }

  /// It has a voice and has not muted it, and is not heard because it watches: its packets are
  /// followed, so that it is heard at once when it is promoted.
  var isFollowed: Bool { isReplica && !isContent && !isMuted && !isMutedByOperator }

  /// It gets a mix.
  var mayHear: Bool { capabilities.audio.canReceive && !isContent }

  /// Its video is forwarded, to those whom video-tiles names.
  var maySendVideo: Bool {
    (isContent ? capabilities.content : capabilities.video).canSend && !isReplica
  }
}
