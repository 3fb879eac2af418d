internal import CarillonClientCore
internal import VPX

/// Encodes one layer of a video: shrinks, leaves out the frames that are too many for it, and
/// starts anew when the picture has another size.
///
/// Belongs to the queue of its ``VideoEncoding``.
final class LayerEncoder {
  private let layer: MediaPublication.Layer
  private let isScreen: Bool
  private var encoder: EncoderBox?
  private var lastTimestamp: Int64?
  private var nextDue: Int64 = .min

  init(_ layer: MediaPublication.Layer, isScreen: Bool) {
    self.layer = layer
    self.isScreen = isScreen
  }

  /// Whether a frame is one of those that the layer's rate leaves room for.
  ///
  /// - Parameter timestamp: In 90 kHz.
  func isDue(_ timestamp: Int64) -> Bool { timestamp >= nextDue }

  /// Encodes a picture that has the layer's size.
  ///
  /// - Returns: `nil` if it is not later than the one before.
  func encode(
    _ picture: I420Picture, timestamp: Int64, forcingKeyFrame: Bool
  ) throws(VPXError) -> VP8Frame? {
    if let lastTimestamp, timestamp <= lastTimestamp { return nil }
    let interval = Int64(VP8Encoder.clockRate / max(1, layer.framesPerSecond))
    // A tenth of tolerance: sources are not that exact. The grid stays where it is while frames
    // come.
    let wasOnTime = nextDue != .min && timestamp - nextDue < interval
    nextDue = (wasOnTime ? nextDue : timestamp - interval / 10) + interval
    lastTimestamp = timestamp
    let box = try encoder(for: picture)
    return try box.encoder.encode(
      picture, timestamp: timestamp, duration: Int(interval), forcingKeyFrame: forcingKeyFrame)
  }

  private func encoder(for picture: I420Picture) throws(VPXError) -> EncoderBox {
    if let encoder, encoder.encoder.width == picture.width, encoder.encoder.height == picture.height
    {
      return encoder
    }
    let settings = VP8Encoder.Settings(
      width: picture.width, height: picture.height, bitsPerSecond: layer.bitsPerSecond,
      framesPerSecond: layer.framesPerSecond, isScreen: isScreen)
    let made = EncoderBox(try VP8Encoder(settings))
    encoder = made
    return made
  }
}

/// Keeps an encoder where a reference is wanted.
private final class EncoderBox {
  var encoder: VP8Encoder

  init(_ encoder: consuming VP8Encoder) { self.encoder = encoder }
}
