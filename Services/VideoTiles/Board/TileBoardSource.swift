import MeetingModel

/// A published source, in the form that all receivers get.
struct PublishedVideoSource: Hashable, Sendable {
  /// The tile of the source, the same at every receiver.
  let tile: TileID

  let kind: VideoSourceKind
  var publisher: ParticipantIdentity

  /// The layers, lowest bitrate first, each with its SSRC.
  var layers: [SimulcastLayer]

  /// The SSRC of the packets to receivers, the same for all layers.
  let track: SSRC

  var hint: VideoContentHint
}

/// A source on a board.
struct TileBoardSource: Sendable {
  private(set) var visible: PublishedVideoSource

  /// The session whose packets are valid for the source.
  private(set) var session: SessionID

  private(set) var ladder: SourceLayerRates
  private(set) var flows: [LayerMeasurement]

  /// The time since which `media` has reported no packets of the source; `nil` while packets
  /// arrive, and before the first packets.
  private(set) var silentSince: ContinuousClock.Instant?

  /// Whether the source has been silent for so long that the board reports the source's tile as
  /// stalled.
  private(set) var isSilent = false
  private var hasFlowed = false

  init(_ visible: PublishedVideoSource, from session: SessionID) {
    self.visible = visible
    self.session = session
    flows = visible.layers.map { LayerMeasurement($0) }
    ladder = SourceLayerRates(visible.layers, flows)
  }

  var tile: TileID { visible.tile }
  var kind: VideoSourceKind { visible.kind }
  var publisher: ParticipantID { visible.publisher.id }

  /// The codec of all layers.
  var codec: VideoCodec { visible.layers.first?.codec ?? .vp8 }

  /// Applies a change by the publisher. Measurements of unchanged layers remain valid.
  mutating func update(to visible: PublishedVideoSource, from session: SessionID) {
    let before = Dictionary(zip(self.visible.layers, flows)) { first, _ in first }
    self.visible = visible
    self.session = session
    flows = visible.layers.map { before[$0] ?? LayerMeasurement($0) }
    ladder = SourceLayerRates(visible.layers, flows)
  }

  /// Assigns the source to another session.
  mutating func hand(to session: SessionID) { self.session = session }

  /// Records a report in which `media` describes a layer.
  ///
  /// - Parameters:
  ///   - report: The measurement. The method ignores unknown layers.
  ///   - memory: See ``LayerMeasurement/measure(isFlowing:_:at:memory:)``.
  /// - Returns: Whether the tiles of receivers may change.
  mutating func measure(
    _ report: SourceLayerReport, at now: ContinuousClock.Instant, memory: Duration
  ) -> Bool {
    let index = report.layer - 1
    guard flows.indices.contains(index) else { return false }
    let (before, wasSilent) = (flows[index], isSilent)
    flows[index].measure(
      isFlowing: report.isFlowing, report.bitrate, at: now, memory: memory)
    flows[index].count(temporalLayers: report.temporalLayers)
    noteSilence(report, at: now)
    guard
      flows[index].isFlowing != before.isFlowing || flows[index].bitrate != before.bitrate
        || flows[index].temporalLayers != before.temporalLayers
        || isSilent != wasSilent
    else { return false }
    ladder = SourceLayerRates(visible.layers, flows)
    return true
  }
}

extension TileBoardSource {
  private mutating func noteSilence(_ report: SourceLayerReport, at now: ContinuousClock.Instant) {
    hasFlowed = hasFlowed || report.isFlowing
    if flows.contains(where: \.isFlowing) {
      (silentSince, isSilent) = (nil, false)
    } else if hasFlowed {
      silentSince = silentSince ?? now
    }
  }

  /// Returns the time at which the source's tile stalls if no packet arrives earlier; `nil` if the
  /// tile has already stalled, or if packets arrive.
  func silenceDeadline(after silence: Duration) -> ContinuousClock.Instant? {
    isSilent ? nil : silentSince.map { $0 + silence }
  }

  /// Advances to the present time.
  ///
  /// - Returns: Whether the source's tile has just stalled.
  mutating func advance(to now: ContinuousClock.Instant, silence: Duration) -> Bool {
    guard let deadline = silenceDeadline(after: silence), deadline <= now else { return false }
    isSilent = true
    return true
  }
}

/// The state of one layer of a source, as `media` measured it over the last second.
struct SourceLayerReport: Hashable, Sendable {
  let tile: TileID

  /// The number of the layer, from 1.
  let layer: Int

  let isFlowing: Bool
  let bitrate: Bitrate

  /// The number of temporal layers in the packets; 0 if unknown.
  var temporalLayers = 0
}

/// The state of one receiver's link, as `media` measured it.
struct DownlinkReport: Hashable, Sendable {
  let session: SessionID
  let estimate: Bitrate

  /// The tiles that recently dropped frames because the link was full.
  var starved: Set<TileID> = []

  /// The tiles for which `media` has sent no frame for two seconds.
  var stalled: Set<TileID> = []
}
