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
}
