import Wire

/// A browser's request for the picture in one section of its offer.
struct VideoSectionRequest: Hashable {
  /// The `mid` of the SDP section; empty if the request names none.
  let mid: String

  /// The requested source; `nil` if the browser requests an encoding instead of a source.
  let groupID: UInt32?

  /// The encoding that the browser has chosen.
  let streamID: UInt32?

  let priority: V1.VideoPriority

  /// What the browser gives up first if its link is too slow.
  let preference: V1.VideoAdaptationPreference

  /// The size that corresponds to the requested bitrate; `nil` if the request contains no bitrate.
  let target: VideoSize?

  /// The maximum length of a section name. The gateway ignores longer names.
  private static let longestMid = 64

  init(_ wish: Signaling.SdkVideoSubscriptionConfiguration) {
    mid = wish.mid.utf8.count <= Self.longestMid ? wish.mid : ""
    groupID = wish.groupID.flatMap { $0 == 0 ? nil : $0 }
    streamID = wish.streamID.flatMap { $0 == 0 ? nil : $0 }
    priority = wish.priority.map(V1.VideoPriority.init(ofBrowser:)) ?? .high
    preference = V1.VideoAdaptationPreference(ofBrowser: wish.qualityAdaptationPreference)
    target = wish.targetBitrateKbps.flatMap { $0 == 0 ? nil : VideoSize(forKbps: $0) }
  }

  /// Reads the requests of a frame. Ignores the requests beyond ``most``.
  static func all(_ wishes: [Signaling.SdkVideoSubscriptionConfiguration]) -> [VideoSectionRequest]
  {
    wishes.prefix(most).map(VideoSectionRequest.init(_:))
  }

  /// The maximum number of requests in one frame. Clients send fewer requests.
  static let most = 256

  /// The requested tile; `nil` if the request contains none.
  var tileID: UInt32? { groupID ?? streamID.map { NumberedVideoEncoding.tileID(of: $0) } }
}

/// A change that affects only the received pictures, and that needs no new offer.
struct VideoSubscriptionChange: Hashable {
  let wishes: [VideoSectionRequest]

  /// The sections whose pictures the browser no longer wants.
  let removedMids: Set<String>

  init(_ frame: Signaling.SdkRemoteVideoUpdateFrame) {
    wishes = VideoSectionRequest.all(frame.addedOrUpdatedVideoSubscriptions)
    removedMids = Set(frame.removedVideoSubscriptionMids.prefix(VideoSectionRequest.most))
  }
}

/// The size of a picture in pixels.
struct VideoSize: Hashable {
  let width: UInt32
  let height: UInt32

  init(_ width: UInt32, _ height: UInt32) { (self.width, self.height) = (width, height) }

  /// Converts a browser's target bitrate, in kbit/s, to a size.
  init(forKbps kbps: UInt32) {
    switch kbps {
    case ...300: self.init(320, 180)
    case ...600: self.init(640, 360)
    case ...1_500: self.init(1_280, 720)
    default: self.init(1_920, 1_080)
    }
  }
}

extension V1.VideoAdaptationPreference {
  /// Reads a preference. The result is `unspecified` for a balanced preference, because
  /// `video-tiles` also returns `unspecified` for such a subscription.
  init(ofBrowser preference: Signaling.SdkVideoQualityAdaptationPreference?) {
    switch preference {
    case .maintainFramerate: self = .framerate
    case .maintainResolution: self = .resolution
    case .balanced, .unrecognized, nil: self = .unspecified
    }
  }
}

extension V1.VideoPriority {
  /// Reads a priority. A browser sends 2³² - 1 - p, where p is 0 or 1 for the highest priority and
  /// 5 or more for the lowest.
  init(ofBrowser value: UInt32) {
    switch UInt32.max - value {
    case ...1: self = .highest
    case 2: self = .high
    case 3: self = .medium
    case 4: self = .low
    default: self = .lowest
    }
  }
}
