import MeetingModel

/// The rights of one session to send and receive media.
///
/// A different authority sets each part. A packet passes only if all parts allow it.
struct SendRights: Hashable, Sendable {
  /// The capabilities of the attendee.
  var capabilities: AttendeeCapabilities

  /// Whether the client has muted itself.
  var isMuted = false

  /// Whether the server has muted the session.
  var isMutedByOperator = false

  /// Whether it is a content share, which has no voice.
  let isContent: Bool

  /// Whether it views the meeting from a replica: it receives audio and sends none.
  var isReplica = false

  /// Whether its audio enters the mix.
  var mayBeHeard: Bool {
    capabilities.audio.canSend && !isMuted && !isMutedByOperator && !isContent && !isReplica
  }

  /// Whether its packets are tracked although a replica's viewer is not heard.
  ///
  /// The viewer has a voice that is not muted, so it can be heard at once when it is promoted.
  var isFollowed: Bool { isReplica && !isContent && !isMuted && !isMutedByOperator }

  /// Whether it receives a mix.
  var mayHear: Bool { capabilities.audio.canReceive && !isContent }

  /// Whether its video may be forwarded, to the receivers that video-tiles names.
  var maySendVideo: Bool {
    (isContent ? capabilities.content : capabilities.video).canSend && !isReplica
  }
}
