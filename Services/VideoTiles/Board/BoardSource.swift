import MeetingModel

/// A published source as the meeting sees it.
struct VideoSource: Hashable, Sendable {
  /// The tile that shows it at every receiver.
  let tile: TileID

  let kind: VideoSourceKind
  var publisher: ParticipantIdentity

  /// The layers, lowest bitrate first, each with its SSRC.
  var layers: [SimulcastLayer]

  /// The SSRC of the packets to receivers, for every layer.
  let track: SSRC

  var hint: VideoContentHint
}

/// A source on a board.
struct BoardSource: Sendable {
  private(set) var visible: VideoSource

  /// The session whose packets count.
  private(set) var session: SessionID

  private(set) var ladder: Ladder
  private(set) var flows: [LayerFlow]

  /// Since when media reports no packets of it, after earlier ones.
  private(set) var silentSince: ContinuousClock.Instant?

  /// Whether it has been silent long enough that its tile counts as stalled.
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

  /// Applies its publisher's change. Measurements of unchanged layers still apply.
  mutating func update(to visible: VideoSource, from session: SessionID) {
    let before = Dictionary(zip(self.visible.layers, flows)) { first, _ in first }
    self.visible = visible
    self.session = session
    flows = visible.layers.map { before[$0] ?? LayerFlow($0) }
    ladder = Ladder(visible.layers, flows)
  }

  /// Hands the source to another session.
  mutating func hand(to session: SessionID) { self.session = session }

  /// Records media's measurement of a layer.
  ///
  /// - Parameters:
  ///   - report: The measurement. Its layer counts from 1; unknown layers are ignored.
  ///   - memory: See ``LayerFlow/measure(isFlowing:_:at:memory:)``.
  /// - Returns: Whether receivers' tiles may change.
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

  /// Returns when its tile stalls if no packet arrives; `nil` if it has stalled already or packets
  /// arrive.
  func silenceDeadline(after silence: Duration) -> ContinuousClock.Instant? {
    isSilent ? nil : silentSince.map { $0 + silence }
  }

  /// Advances to the present time.
  ///
  /// - Returns: Whether its tile has just stalled.
  mutating func advance(to now: ContinuousClock.Instant, silence: Duration) -> Bool {
    guard let deadline = silenceDeadline(after: silence), deadline <= now else { return false }
    isSilent = true
    return true
  }
}

/// Media's measurement of one layer of a source over the last second.
struct TrackReport: Hashable, Sendable {
  let tile: TileID

  /// The layer, counted from 1.
  let layer: Int

  let isFlowing: Bool
  let bitrate: Bitrate
}

/// Media's measurement of one receiver's link.
struct DownlinkReport: Hashable, Sendable {
  let session: SessionID
  let estimate: Bitrate

  /// Tiles that dropped frames lately because the link was full.
  var starved: Set<TileID> = []

  /// Tiles without a frame sent for two seconds.
  var stalled: Set<TileID> = []
}
