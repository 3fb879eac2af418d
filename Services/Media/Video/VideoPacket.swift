import RTP

/// Those properties of a publisher's packet that the forwarder uses.
struct VideoPacket: Hashable, Sendable {
  /// The number of the layer, from 1.
  var layer: Int

  /// The packet's sequence number, unwrapped.
  var number: Int64

  var timestamp: UInt32

  /// The offset of the payload in the packet.
  var payloadStart: Int

  /// Whether a receiver can start with this packet.
  var startsKeyFrame = false

  /// The parts of a key frame that an H.264 packet contains.
  var keyFrameParts: H264KeyFrameParts = []

  /// Whether the packet is the last packet of its frame.
  var isMarked = false

  /// The temporal layer of VP8 or VP9, from 0.
  var temporalLayer: UInt8 = 0

  /// Whether a receiver of lower temporal layers may add the packet's temporal layer from this
  /// packet on (VP8).
  var isLayerSync = false

  /// Whether a receiver of the packet's temporal layer may change to any higher layer after this
  /// picture (VP9).
  var isSwitchingPoint = false

  /// The picture id of VP8 or VP9, or the frame number of AV1, unwrapped.
  var picture: Int64?

  /// The payload descriptor of VP8 or VP9, or the dependency descriptor of AV1; `nil` for H.264,
  /// and for AV1 without this descriptor.
  var descriptor: VideoPayloadDescriptor?

  /// The arrival time of a packet that waited for a decision to admit the packet; `nil` if the
  /// packet did not wait.
  var heldSince: MonotonicTime?

  /// The payload of the H.264 parameter sets that a receiver needs before this packet.
  ///
  /// Only a packet with which the picture of a key frame begins has this value. Earlier packets of
  /// the frame may already contain the sets. `nil` if the packet contains both kinds of parameter
  /// sets, or if the track has no known sets.
  var parameterSets: [UInt8]?
}
