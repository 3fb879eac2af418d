import MeetingModel

/// A published source as the meeting sees it.
struct VideoSource: Hashable, Sendable {
  /// The tile that shows it, at every receiver.
  let tile: TileID

  let kind: VideoSourceKind
  var publisher: ParticipantIdentity

  /// Lowest bitrate first, each with its SSRC.
  var layers: [SimulcastLayer]

  /// The SSRC of the packets that receivers get, whichever layer it is.
  let track: SSRC

  var hint: VideoContentHint
}

/// A source on a board.
struct BoardSource: Sendable {
  private(set) var visible: VideoSource

  /// Whose packets count.
  private(set) var session: SessionID

  private(set) var ladder: Ladder
  private(set) var flows: [LayerFlow]

  init(_ visible: VideoSource, from session: SessionID) {
    self.visible = visible
    self.session = session
    flows = visible.layers.map { LayerFlow($0) }
    ladder = Ladder(visible.layers, flows)
  }

  var tile: TileID { visible.tile }
  var kind: VideoSourceKind { visible.kind }
  var publisher: ParticipantID { visible.publisher.id }

  /// Its publisher changed it. What was measured of a layer that stays the same still holds.
  mutating func update(to visible: VideoSource, from session: SessionID) {
    let before = Dictionary(zip(self.visible.layers, flows)) { first, _ in first }
    self.visible = visible
    self.session = session
    flows = visible.layers.map { before[$0] ?? LayerFlow($0) }
    ladder = Ladder(visible.layers, flows)
  }

  /// Another session goes on with it.
  mutating func hand(to session: SessionID) { self.session = session }

  /// Media measured a layer.
  ///
  /// - Parameter layer: Counted from 1; others are ignored.
  /// - Returns: Whether that can change what receivers get.
  mutating func measure(
    _ report: TrackReport, at now: ContinuousClock.Instant, memory: Duration
  ) -> Bool {
    let index = report.layer - 1
    guard flows.indices.contains(index) else { return false }
    let before = flows[index]
    flows[index].measure(
      isFlowing: report.isFlowing, report.bitrate, at: now, memory: memory)
    guard flows[index].isFlowing != before.isFlowing || flows[index].bitrate != before.bitrate
    else { return false }
    ladder = Ladder(visible.layers, flows)
    return true
  }
}

/// What media measured of one layer of a source over the last second.
struct TrackReport: Hashable, Sendable {
  let tile: TileID

  /// Counted from 1.
  let layer: Int

  let isFlowing: Bool
  let bitrate: Bitrate
}

/// What media measured of one receiver's link.
struct DownlinkReport: Hashable, Sendable {
  let session: SessionID
  let estimate: Bitrate
}
