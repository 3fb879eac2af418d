import MeetingModel

/// Receivers' choices.
extension TileBoard {
  /// Turns remote video on or off for one receiver. While remote video is off, the subscriptions
  /// remain.
  ///
  /// - Parameter codecs: The codecs that the receiver decodes; `nil` if the codecs have not
  ///   changed.
  mutating func setRemoteVideo(
    _ session: SessionID, to isReceiving: Bool, decoding codecs: VideoCodecSet? = nil
  ) throws(VideoTilesError) -> [TileEffect] {
    try change(session) { entry in
      entry.isReceiving = isReceiving
      entry.decodableCodecs = codecs ?? entry.decodableCodecs
    }
  }

  /// Changes a receiver's subscriptions. Ignores sources that do not exist.
  mutating func updateSubscriptions(
    of session: SessionID, adding added: [ParticipantID: ReceiverVideoSubscription],
    removing removed: [ParticipantID]
  ) throws(VideoTilesError) -> [TileEffect] {
    let present = Set(boardSources.map(\.publisher))
    return try change(session) { entry in
      let own = added.keys.filter { entry.belongs(to: $0.attendee) }
      entry.subscriptions.update(
        adding: added.filter { present.contains($0.key) && !own.contains($0.key) },
        removing: removed)
    }
  }

  /// Pauses or resumes a tile for a receiver's user.
  ///
  /// - Returns: The tile after the change, and the effects.
  mutating func setPaused(
    _ tile: TileID, of session: SessionID, to isPaused: Bool
  ) throws(VideoTilesError) -> (tile: ReceiverTile, effects: [TileEffect]) {
    guard let entry = sessions[session] else { throw isRecovering ? .recovering : .unknownSession }
    if let source = source(tile), entry.belongs(to: source.publisher.id.attendee) { throw .ownTile }
    guard entry.decision(about: tile)?.pauseState != nil else { throw .unknownTile }
    let effects = try change(session) { $0.setPaused(tile, to: isPaused) }
    guard let view = view(of: tile, for: session) else { throw .unknownTile }
    return (view, effects)
  }

  private mutating func change(
    _ session: SessionID, _ body: (inout TileBoardSession) -> Void
  ) throws(VideoTilesError) -> [TileEffect] {
    guard let index = sessions.index(of: session) else {
      throw isRecovering ? .recovering : .unknownSession
    }
    var changes = TileBoardChanges()
    body(&sessions[index])
    changes.refreshed.insert(session)
    return conclude(changes)
  }
}
