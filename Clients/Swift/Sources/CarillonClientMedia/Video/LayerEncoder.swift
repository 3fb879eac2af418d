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
  private var cap = RateCap()
  private var scale = PictureScale()

  /// What of its bitrate is for the pictures: the rest is for the headers of packets.
  private static let picturesPercent = 96

  init(_ layer: MediaPublication.Layer, isScreen: Bool) {
    self.layer = layer
    self.isScreen = isScreen
  }

  /// Whether a frame is one of those that the layer's rate leaves room for.
  ///
  /// - Parameter timestamp: In 90 kHz.
  func isDue(_ timestamp: Int64) -> Bool { timestamp >= nextDue }

  /// The size of the pictures to encode: that of the layer, or less while they are too hard for
  /// its bitrate. Letters keep their size, for they must be read, and move less instead.
  func size(
    in layers: [MediaPublication.Layer], width: Int, height: Int
  ) -> (width: Int, height: Int) {
    LayerSize.of(
      layer, in: layers, width: width, height: height, eighths: isScreen ? 8 : scale.eighths)
  }

  /// Frames were left out before they came here, for too much waits to be sent. Where the layer may
  /// take all it wants that has another reason than its pictures.
  func leaveOut(_ count: Int, at timestamp: Int64, bitsPerSecond: Int?) {
    guard let bitsPerSecond, bitsPerSecond < layer.bitsPerSecond else { return }
    for _ in 0..<count {
      scale.take(timestamp, bytes: nil, bitsPerSecond: pictureRate(bitsPerSecond))
    }
  }

  private func pictureRate(_ bitsPerSecond: Int?) -> Int {
    min(bitsPerSecond ?? .max, layer.bitsPerSecond) / 100 * Self.picturesPercent
  }

  /// Encodes a picture of the size that ``size(in:width:height:)`` says.
  ///
  /// - Parameter bitsPerSecond: What the layer may take now; `nil`: what was declared.
  /// - Returns: `nil` if it is not later than the one before, or is left out for its bitrate.
  func encode(
    _ picture: I420Picture, timestamp: Int64, forcingKeyFrame: Bool, bitsPerSecond: Int? = nil
  ) throws(VPXError) -> VP8Frame? {
    let rate = pictureRate(bitsPerSecond)
    if let lastTimestamp, timestamp <= lastTimestamp { return nil }
    let interval = Int64(VP8Encoder.clockRate / max(1, layer.framesPerSecond))
    // A tenth of tolerance: sources are not that exact. The grid stays where it is while frames
    // come.
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

/// Keeps an encoder where a reference is wanted.
private final class EncoderBox {
  var encoder: VP8Encoder

  private var bitsPerSecond: Int

  init(_ encoder: consuming VP8Encoder, _ bitsPerSecond: Int) {
    self.bitsPerSecond = bitsPerSecond
    self.encoder = encoder
  }

  func set(_ bitsPerSecond: Int) throws(VPXError) {
    // An encoder that is told often starts its reckoning anew each time.
    guard abs(bitsPerSecond - self.bitsPerSecond) * 20 > self.bitsPerSecond else { return }
    self.bitsPerSecond = bitsPerSecond
    try encoder.setBitsPerSecond(bitsPerSecond)
  }
}
