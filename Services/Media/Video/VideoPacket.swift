import RTP

/// What forwarding must know of one packet of a publisher.
struct VideoPacket: Hashable, Sendable {
  /// Counted from 1.
  var layer: Int

  /// Its sequence number, unwrapped.
  var number: Int64

  var timestamp: UInt32

  /// Where the payload begins.
  var payloadStart: Int

  /// Whether a receiver can begin here.
  var startsKeyFrame = false

  /// H.264's: the parts of a key frame that it holds.
  var keyFrameParts: H264KeyFrameParts = []

  /// The last packet of its frame.
  var isMarked = false

  /// VP8's, from 0.
  var temporalLayer: UInt8 = 0

  /// A receiver may go up to its temporal layer here.
  var isLayerSync = false

  /// VP8's picture id, unwrapped.
  var picture: Int64?

  /// VP8's. `nil` for H.264.
  var descriptor: VP8Descriptor?

  /// When it arrived, if it waited for its decision since then. `nil`: it arrived just now.
  var heldSince: MediaTime?

  /// H.264's: the payload of the parameter sets that a receiver needs before this packet, in which
  /// the picture of a key frame begins, unless packets of the frame before it held them. `nil`: the
  /// packet holds both kinds, or none are known.
  var parameterSets: [UInt8]?
}
