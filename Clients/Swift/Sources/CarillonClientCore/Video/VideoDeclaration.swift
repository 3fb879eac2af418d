internal import MeetingModel

/// A video that its sender declares to the meeting.
struct VideoDeclaration: Hashable, Sendable {
  typealias Kind = VideoSourceKind

  /// One encoding of the video.
  struct Layer: Hashable, Sendable {
    /// The width in pixels.
    let width: Int
    /// The height in pixels.
    let height: Int
    let framesPerSecond: Int
    /// The highest bitrate, in bit/s.
    let bitsPerSecond: Int
  }

  /// The number that identifies the declaration among the declarations of its sender.
  let number: UInt64
  let kind: Kind
  let hint: VideoContentHint

  /// The one to three layers, the lowest bitrate first. Content has one layer.
  let layers: [Layer]
}

extension VideoDeclaration {
  /// The layers of a camera if the application sets no maximum bitrate, lowest first. Each layer's
  /// size is the largest size divided by `share`.
  private static let cameraLayers = [(share: 4, fps: 15, kbps: 150), (2, 30, 500), (1, 30, 1400)]

  /// The default bitrate of content, in kbit/s, for full HD at 15 frames per second.
  private static let contentKbps = 1800
  private static let contentFramesPerSecond = 15

  /// Declares a camera's video within the limits of the meeting.
  ///
  /// The maximum bitrate in the configuration limits the highest layer. If a lower layer has more
  /// than half the bitrate of the next higher layer, the declaration omits the lower layer. A full
  /// HD meeting has a fixed maximum bitrate.
  static func camera(
    _ number: UInt64, hint: VideoContentHint, config: LocalVideoConfiguration,
    features: MeetingFeatures
  ) -> VideoDeclaration {
    let limit = features.videoMaxResolution
    let cap =
      limit === VideoResolution.videoResolutionFHD
      ? VideoBitrateConstants().videoHighResolutionBitrateKbps : config.maxBitRateKbps
    var layers: [Layer] = []
    for (share, fps, kbps) in cameraLayers.reversed() {
      let kbps = share == 1 && cap > 0 ? kilobits(cap) : kbps
      guard layers.isEmpty || config.simulcastEnabled else { continue }
      if let higher = layers.first, kbps * 2000 > higher.bitsPerSecond { continue }
      let layer = Layer(
        width: limit.width / share, height: limit.height / share, framesPerSecond: fps,
        bitsPerSecond: kbps * 1000)
      layers.insert(layer, at: 0)
    }
    return VideoDeclaration(number: number, kind: .camera, hint: hint, layers: layers)
  }

  /// Declares a content share within the limits of the meeting.
  ///
  /// Content has no simulcast. In a meeting with ultra HD content, the maximum bitrate is fixed.
  static func content(
    _ number: UInt64, hint: VideoContentHint, config: LocalVideoConfiguration,
    features: MeetingFeatures
  ) -> VideoDeclaration {
    let limit = features.contentMaxResolution
    let cap =
      limit === VideoResolution.videoResolutionUHD
      ? VideoBitrateConstants().contentHighResolutionBitrateKbps : config.maxBitRateKbps
    let layer = Layer(
      width: limit.width, height: limit.height, framesPerSecond: contentFramesPerSecond,
      bitsPerSecond: (cap > 0 ? kilobits(cap) : contentKbps) * 1000)
    return VideoDeclaration(number: number, kind: .content, hint: hint, layers: [layer])
  }

  /// Returns the bitrate in kbit/s, limited so that the bitrate in bit/s fits its protocol field.
  private static func kilobits(_ cap: UInt32) -> Int { min(Int(cap), Int(UInt32.max) / 1000) }
}
