import MeetingModel

/// The downlink report of one receiver.
struct SessionDownlinkReport: Hashable, Sendable {
  let session: SessionID
  let downlink: DownlinkReport
}

/// The measured state of one layer of a published video.
struct PublishedLayerReport: Hashable, Sendable {
  let tile: UInt32

  /// The number of the layer, from 1.
  let layer: Int
  let state: LayerMeter.State
}
