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

  /// Since when nothing comes of it by what media says, though something did before.
  private(set) var silentSince: ContinuousClock.Instant?

  /// It has been silent for so long that its tile stands still.
  private(set) var isSilent = false
  private var hasFlowed = false

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
    let (before, wasSilent) = (flows[index], isSilent)
    flows[index].measure(
      isFlowing: report.isFlowing, report.bitrate, at: now, memory: memory)
    noteSilence(report, at: now)
    guard
      flows[index].isFlowing != before.isFlowing || flows[index].bitrate != before.bitrate
        || isSilent != wasSilent
    else { return false }
    ladder = Ladder(visible.layers, flows)
    return true
  }
}

extension BoardSource {
  private mutating func noteSilence(_ report: TrackReport, at now: ContinuousClock.Instant) {
    hasFlowed = hasFlowed || report.isFlowing
    if flows.contains(where: \.isFlowing) {
      (silentSince, isSilent) = (nil, false)
    } else if hasFlowed {
      silentSince = silentSince ?? now
    }
  }

  /// When its tile stands still if nothing comes; `nil`: it does already, or something comes.
  func silenceDeadline(after silence: Duration) -> ContinuousClock.Instant? {
    isSilent ? nil : silentSince.map { $0 + silence }
  }

  /// Time passed.
  ///
  /// - Returns: Whether its tile stands still from now on.
  mutating func advance(to now: ContinuousClock.Instant, silence: Duration) -> Bool {
    guard let deadline = silenceDeadline(after: silence), deadline <= now else { return false }
    isSilent = true
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

  /// Tiles of which frames were left out lately, for want of room.
  var starved: Set<TileID> = []

  /// Tiles of which no frame has left for two seconds.
  var stalled: Set<TileID> = []
}
