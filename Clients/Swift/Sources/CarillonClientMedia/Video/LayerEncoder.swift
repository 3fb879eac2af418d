internal import CarillonClientCore
internal import VPX

/// The encoder of one layer of a video. The encoder drops frames beyond the layer's frame rate, and
/// restarts when the size of the picture changes.
///
/// All calls run on the queue of the ``VideoEncoderQueue`` that owns the encoder.
final class LayerEncoder {
  private let layer: VideoPublication.Layer
  private let isScreen: Bool
  private var encoder: EncoderBox?
  private var lastTimestamp: Int64?
  private var nextDue: Int64 = .min
  private var cap = RateCap()
  private var scale = AdaptiveLayerScale()

  /// The share of the bitrate for pictures, in per cent; packet headers take the rest.
  private static let picturesPercent = 96

  init(_ layer: VideoPublication.Layer, isScreen: Bool) {
    self.layer = layer
    self.isScreen = isScreen
  }

  /// Returns whether the layer's frame rate allows a frame.
  ///
  /// - Parameter timestamp: The frame's timestamp, in ticks of 1/90,000 s.
  func isDue(_ timestamp: Int64) -> Bool { timestamp >= nextDue }

  /// Returns the size of the pictures to encode: the layer's size, or a smaller size while the
  /// pictures are too complex for the layer's bitrate.
  ///
  /// The pictures of a screen keep their size, so that text remains legible. The encoder drops
  /// frames instead.
  func size(
    in layers: [VideoPublication.Layer], width: Int, height: Int
  ) -> (width: Int, height: Int) {
    LayerSize.of(
      layer, in: layers, width: width, height: height, eighths: isScreen ? 8 : scale.eighths)
  }

  /// Records frames that the session dropped before encoding because of congestion.
  ///
  /// A layer at its full bitrate ignores these frames, because the layer's pictures are not the
  /// cause of the congestion.
  func leaveOut(_ count: Int, at timestamp: Int64, bitsPerSecond: Int?) {
    guard let bitsPerSecond, bitsPerSecond < layer.bitsPerSecond else { return }
    for _ in 0..<count {
      scale.take(timestamp, bytes: nil, bitsPerSecond: pictureRate(bitsPerSecond))
    }
  }

  private func pictureRate(_ bitsPerSecond: Int?) -> Int {
    min(bitsPerSecond ?? .max, layer.bitsPerSecond) / 100 * Self.picturesPercent
  }

  /// Encodes a picture of the size that ``size(in:width:height:)`` returns.
  ///
  /// - Parameter bitsPerSecond: The layer's current bitrate; `nil` means the declared bitrate.
  /// - Returns: `nil` if the timestamp is not later than the previous timestamp, or if the bitrate
  ///   limit or the encoder drops the frame.
  func encode(
    _ picture: I420Picture, timestamp: Int64, forcingKeyFrame: Bool, bitsPerSecond: Int? = nil
  ) throws(VPXError) -> VP8Frame? {
    let rate = pictureRate(bitsPerSecond)
    if let lastTimestamp, timestamp <= lastTimestamp { return nil }
    let interval = Int64(VP8Encoder.clockRate / max(1, layer.framesPerSecond))
    // There is a tolerance of a tenth of an interval, because sources do not deliver frames at
    // exact times. While frames arrive on time, the due times are multiples of one interval.
    let wasOnTime = nextDue != .min && timestamp - nextDue < interval
    nextDue = (wasOnTime ? nextDue : timestamp - interval / 10) + interval
    lastTimestamp = timestamp
    guard cap.allows(at: timestamp, bitsPerSecond: rate) else {
      scale.take(timestamp, bytes: nil, bitsPerSecond: rate)
      return nil
    }
    let box = try encoder(for: picture, rate)
    let frame = try box.encoder.encode(
      picture, timestamp: timestamp, duration: Int(interval), forcingKeyFrame: forcingKeyFrame)
    cap.spend(frame?.bytes.count ?? 0)
    scale.take(timestamp, bytes: frame?.bytes.count, bitsPerSecond: rate)
    return frame
  }

  private func encoder(
    for picture: I420Picture, _ bitsPerSecond: Int
  ) throws(VPXError) -> EncoderBox {
    if let encoder, encoder.encoder.width == picture.width, encoder.encoder.height == picture.height
    {
      try encoder.set(bitsPerSecond)
      return encoder
    }
    let settings = VP8Encoder.Settings(
      width: picture.width, height: picture.height, bitsPerSecond: bitsPerSecond,
      framesPerSecond: layer.framesPerSecond, isScreen: isScreen)
    let made = EncoderBox(try VP8Encoder(settings), bitsPerSecond)
    encoder = made
    return made
  }
}

/// A reference to an encoder.
private final class EncoderBox {
  var encoder: VP8Encoder

  private var bitsPerSecond: Int

  init(_ encoder: consuming VP8Encoder, _ bitsPerSecond: Int) {
    self.bitsPerSecond = bitsPerSecond
    self.encoder = encoder
  }

  func set(_ bitsPerSecond: Int) throws(VPXError) {
    // Each change restarts the encoder's rate control, so this code skips changes of up to 5 per
    // cent.
    guard abs(bitsPerSecond - self.bitsPerSecond) * 20 > self.bitsPerSecond else { return }
    self.bitsPerSecond = bitsPerSecond
    try encoder.setBitsPerSecond(bitsPerSecond)
  }
}
