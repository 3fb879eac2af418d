import MeetingModel

/// The reason why the service rejects a request.
enum VideoTilesError: StatusConvertible, Hashable {
  /// The meeting has reached its limit of cameras.
  case camerasFull(limit: Int)
  /// The meeting has reached its limit of content shares.
  case sharesFull(limit: Int)
  /// The attendee already shares content.
  case shareTaken
  /// The attendee's capabilities do not allow the attendee to send this kind of video.
  case mayNotSend(VideoSourceKind)
  /// The session watches from a replica.
  case inReplica
  /// The session is not in a replica, so it cannot be promoted.
  case notInReplica
  /// The source is a camera from a content session, or content from a session that is not a content
  /// session.
  case wrongKind
  /// The session is not on the board.
  case unknownSession
  /// Two participants use the same session id.
  case sessionTaken
  /// A newer session of the same participant exists.
  case joinedElsewhere
  /// The receiver has no such tile.
  case unknownTile
  /// The tile shows the receiver's own video.
  case ownTile
  /// The meeting has ended.
  case meetingEnded
  /// The gateways have not announced all sessions yet.
  case recovering
  /// A field of a request is invalid. `rule` completes "it must be …".
  case malformed(field: String, rule: String)

  var status: Status {
    switch self {
    case .camerasFull(let limit):
      Status(
        .resourceExhausted,
        "All \(limit) cameras are in use; watch, retry later or raise --max-cameras.",
        session: .videoAtCapacityViewOnly)
    case .sharesFull(let limit):
      Status(
        .resourceExhausted,
        "All \(limit) content shares are in use; retry later or raise --max-content-shares.")
    case .shareTaken:
      Status(.resourceExhausted, "This attendee already shares content; stop that share first.")
    case .mayNotSend(.camera):
      Status(
        .permissionDenied,
        """
        The capabilities of this attendee do not permit it to send video; an application can \
        change them.
        """)
    case .mayNotSend(.content):
      Status(
        .permissionDenied,
        """
        The capabilities of this attendee do not permit it to share content; an application can \
        change them.
        """)
    case .inReplica:
      Status(
        .failedPrecondition,
        """
        A session in a replica meeting cannot send video; promote its attendee to the primary \
        meeting first.
        """)
    case .notInReplica:
      Status(
        .failedPrecondition,
        """
        This session is not in a replica meeting, so it cannot be promoted; publish without a \
        promotion.
        """)
    case .wrongKind:
      Status(
        .invalidArgument,
        "A content session must publish content, and every other session must publish a camera.",
        reason: .malformed)
    case .unknownSession:
      Status(.notFound, "This session is not in the meeting; join first.")
    case .sessionTaken:
      Status(
        .invalidArgument,
        "Another participant uses this session id; create a new random session id.",
        reason: .malformed)
    case .joinedElsewhere:
      Status(
        .failedPrecondition,
        """
        A newer session of the same attendee replaced this session; give each program its own \
        attendee.
        """,
        session: .audioJoinedFromAnotherDevice, reason: .joinedElsewhere)
    case .unknownTile:
      Status(
        .notFound, "This session receives no tile with this id; use the id of an announced tile.")
    case .ownTile:
      Status(
        .invalidArgument,
        "A session cannot pause the tile of its own video; stop the video instead.")
    case .meetingEnded:
      Status(
        .failedPrecondition, "The meeting has ended; create or join another meeting.",
        session: .audioCallEnded)
    case .recovering:
      Status(
        .unavailable, "Video-tiles has just started and does not know the session yet; retry.")
    case .malformed(let field, let rule):
      Status(.invalidArgument, "Wrong \(field): it must be \(rule).", reason: .malformed)
    }
  }
}
