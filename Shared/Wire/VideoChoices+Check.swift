public import MeetingModel

extension V1.VideoChoices {
  /// The maximum number of subscriptions that a session may declare, or change in one request.
  public static let mostSubscriptions = 1_000

  /// The maximum number of paused tiles that a session may declare.
  public static let mostPausedTiles = 1_000

  /// The maximum size of a session's packed choices, in bytes.
  public static let mostBytes = 60 << 10

  /// Checks a client's choices by the rules that do not depend on the meeting: the number and size
  /// of the choices, and whether each value is valid.
  ///
  /// A gateway calls this method when a client starts a session, and `video-tiles` calls this
  /// method when `video-tiles` reads a session. The check limits the memory that a client can make
  /// these services use. Only `video-tiles` checks whether the layers of a source fit together.
  ///
  /// - Throws: A status `invalidArgument` that names the invalid field.
  public func check() throws(Status) {
    try Self.require(
      published.count <= 2 && Set(published.map(\.kind)).count == published.count,
      "published", "one of each kind at most")
    for video in published {
      try Self.require(
        video.kind == .camera || video.kind == .content, "kind", "CAMERA or CONTENT")
      try Self.require((1...3).contains(video.layers.count), "layers", "1-3")
    }
    try Self.require(
      pausedTileIDs.count <= Self.mostPausedTiles, "paused_tile_ids",
      "\(Self.mostPausedTiles) at most")
    try subscriptions?.check()
    try Self.require(packed().count <= Self.mostBytes, "choices", "\(Self.mostBytes) bytes at most")
  }

  fileprivate static func require(
    _ isRight: Bool, _ field: String, _ rule: String
  ) throws(Status) {
    guard isRight else {
      throw Status(.invalidArgument, "Wrong \(field): it must be \(rule).", reason: .malformed)
    }
  }
}

extension V1.VideoSubscriptions {
  /// - Throws: A status `invalidArgument` that names the invalid field.
  fileprivate func check() throws(Status) {
    try V1.VideoChoices.require(
      subscriptions.count <= V1.VideoChoices.mostSubscriptions, "number of subscriptions",
      "\(V1.VideoChoices.mostSubscriptions) at most")
    for subscription in subscriptions {
      try V1.VideoChoices.require(
        (try? ParticipantID(subscription.participantID)) != nil, "participant_id",
        "an attendee's id, or that of its content share")
      try V1.VideoChoices.require(
        subscription.priority.isKnown, "priority", "10, 20, 30, 40 or 50")
      try V1.VideoChoices.require(
        (subscription.targetWidth == 0) == (subscription.targetHeight == 0), "target resolution",
        "two numbers above 0, or none")
    }
  }
}

extension V1.VideoPriority {
  fileprivate var isKnown: Bool {
    switch self {
    case .unspecified, .lowest, .low, .medium, .high, .highest: true
    case .unrecognized: false
    }
  }
}
