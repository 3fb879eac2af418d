import Bus
import MeetingModel
import Wire

extension MeetingEventStream {
  /// Publishes the event of a board.
  ///
  /// If the audience does not fit into one header, publishes several events.
  ///
  /// - Parameter audience: The recipients; empty for all participants.
  func publish(_ event: TileEvent, for audience: [ParticipantID]) {
    let packed = V1.SessionEvent(event)
    if audience.isEmpty { publish(packed) }
    for start in stride(from: 0, to: audience.count, by: Self.mostInHeader) {
      let end = min(start + Self.mostInHeader, audience.count)
      publish(packed, onlyFor: IDTexts(audience[start..<end]))
    }
  }

  /// The maximum number of participants in an event's header. A header has at most 4,096 bytes, and
  /// a participant needs 46 bytes.
  private static let mostInHeader = 64

  /// Returns a snapshot at the position of the last published event, with the tiles of `receivers`;
  /// `nil` means all receivers.
  func snapshot(of board: TileBoard, for receivers: Set<ParticipantID>?) -> V1.TileBoardSnapshot {
    V1.TileBoardSnapshot(
      meetingID: meeting.text, epoch: epoch, sequence: lastSequence,
      sources: board.sources.map { V1.VideoSource($0) },
      receivers: board.tiles(of: receivers).map { V1.ReceiverTiles($0) },
      codecs: board.codecs.codecs.map { V1.VideoCodec($0) })
  }
}

extension V1.SessionEvent {
  fileprivate init(_ event: TileEvent) {
    switch event {
    case .sources(let available, let unavailable):
      self.init(
        event: .videoSourcesChanged(
          V1.VideoSourcesChanged(
            available: available.map { V1.VideoSource($0) },
            unavailable: unavailable.map { V1.VideoSource($0) })))
    case .tiles(let changes):
      self.init(
        event: .tilesChanged(V1.TilesChanged(tiles: changes.map { V1.TileState($0) })))
    case .camera(let availability):
      self.init(
        event: .cameraAvailabilityChanged(V1.CameraAvailabilityChanged(availability)))
    case .codecs(let set):
      self.init(
        event: .videoCodecsChanged(
          V1.VideoCodecsChanged(codecs: set.codecs.map { V1.VideoCodec($0) })))
    case .publishedEnded(let tile, let kind, let status):
      self.init(
        event: .publishedVideoEnded(
          V1.PublishedVideoEnded(
            tileID: tile?.number ?? 0, kind: V1.VideoSourceKind(kind), status: V1.Status(status))))
    }
  }
}

extension V1.TileState {
  fileprivate init(_ change: TileChange) {
    switch change {
    case .shows(let view): self.init(view)
    case .removed(let tile, let publisher):
      self.init(tileID: tile.number, participantID: publisher.text, isRemoved: true)
    }
  }

  init(_ view: ReceiverTile) {
    self.init(
      tileID: view.tile.number, participantID: view.publisher.text,
      pauseState: V1.TilePauseState(view.pauseState), layer: UInt32(clamping: view.layer),
      width: UInt32(clamping: view.size?.width ?? 0),
      height: UInt32(clamping: view.size?.height ?? 0))
  }
}

extension V1.CameraAvailabilityChanged {
  init(_ availability: CameraAvailability) {
    switch availability {
    case .available: self.init(status: .ok, isAvailable: true)
    case .notAllowed: self.init(status: .ok, isAvailable: false)
    case .viewOnly: self.init(status: .videoAtCapacityViewOnly, isAvailable: false)
    }
  }
}

extension V1.ReceiverTiles {
  fileprivate init(_ receiver: ReceiverTiles) {
    self.init(
      participantID: receiver.participant.text, sessionID: receiver.session.bytes,
      tiles: receiver.tiles.map { V1.TileState($0) },
      camera: V1.CameraAvailabilityChanged(receiver.camera))
  }
}
