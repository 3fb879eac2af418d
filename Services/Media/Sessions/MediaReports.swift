import MeetingModel

/// What the link of one receiver carries.
struct ReceiverReport: Hashable, Sendable {
  let session: SessionID
  let downlink: DownlinkReport
}

/// How one layer of a published video really is.
struct LayerReport: Hashable, Sendable {
  let tile: UInt32

  /// The number of the layer, from 1.
  let layer: Int
  let state: TrackMeter.State
}
