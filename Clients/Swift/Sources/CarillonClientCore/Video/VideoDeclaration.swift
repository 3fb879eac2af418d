internal import MeetingModel

/// A video as its sender declares it to the meeting.
struct VideoDeclaration: Hashable, Sendable {
  typealias Kind = VideoSourceKind

  /// One encoding.
  struct Layer: Hashable, Sendable {
    /// The width in pixels.
    let width: Int
    /// The height in pixels.
    let height: Int
    let framesPerSecond: Int
    /// The highest bitrate, in bit/s.
    let bitsPerSecond: Int
  }

  /// Tells the declarations of a sender apart.
  let number: UInt64
  let kind: Kind
  let hint: VideoContentHint

  /// Lowest bitrate first; 1-3, and one for content.
  let layers: [Layer]
}

extension VideoDeclaration {
  /// The encodings of a camera that have no cap, lowest first, as parts of the largest picture.
  private static let cameraLayers = [(share: 4, fps: 15, kbps: 150), (2, 30, 500), (1, 30, 1400)]

  /// What content is sent with at most where nothing is said: full HD at 15 frames a second.
  private static let contentKbps = 1800
  private static let contentFramesPerSecond = 15

  /// A camera's video within what the meeting allows.
  ///
  /// A cap of the configuration holds for the highest layer; lower ones that would come too close
  /// to it, with more than half of its bitrate, are left out. A meeting of full HD sets the cap
  /// itself.
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

  /// A content share within what the meeting allows. There is no simulcast of content; a meeting of
  /// ultra HD content sets the cap itself.
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

  /// The bitrate in kbit/s, as far as the wire can say it.
  private static func kilobits(_ cap: UInt32) -> Int { min(Int(cap), Int(UInt32.max) / 1000) }
}
