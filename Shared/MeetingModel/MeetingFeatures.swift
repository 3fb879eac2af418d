/// The largest video of a meeting; the raw values are the control API's words.
public enum VideoLimit: String, CaseIterable, Hashable, Sendable {
  /// No video at all.
  case none = "None"
  /// 1280 × 720.
  case hd = "HD"
  /// 1920 × 1080.
  case fhd = "FHD"
}

/// The largest content share of a meeting; the raw values are the control API's words.
public enum ContentShareLimit: String, CaseIterable, Hashable, Sendable {
  /// No content shares at all.
  case none = "None"
  /// 1920 × 1080.
  case fhd = "FHD"
  /// 3840 × 2160.
  case uhd = "UHD"
}

/// The features of a meeting, with defaults for missing values.
public struct MeetingFeatures: Hashable, Sendable {
  /// Whether clients may use echo reduction.
  public let echoReduction: Bool

  /// The largest video of a camera.
  public let video: VideoLimit

  /// The largest content share.
  public let content: ContentShareLimit

  /// The maximum number of attendees that may exist at a time, whether or not they are connected.
  public let maxAttendees: Int

  /// The default features: HD video, FHD content, 250 attendees.
  public static let standard = MeetingFeatures()

  private init() {
    (echoReduction, video, content) = (false, .hd, .fhd)
    maxAttendees = Self.standardLimit
  }

  /// Creates features.
  ///
  /// - Parameters:
  ///   - maxAttendees: The maximum number of attendees; `nil` means `limit`, or 25 if video is FHD
  ///     or content is UHD.
  ///   - limit: The installation's limit on attendees in a meeting.
  /// - Throws: ``InvalidModelValue/invalidValue(what:rule:)`` if `maxAttendees` is not from 1 to
  ///   `limit`.
  public init(
    echoReduction: Bool = false, video: VideoLimit = .hd, content: ContentShareLimit = .fhd,
    maxAttendees: Int?, upTo limit: Int = Self.standardLimit
  ) throws(InvalidModelValue) {
    let isHighDefinition = video == .fhd || content == .uhd
    let most = maxAttendees ?? (isHighDefinition ? min(25, limit) : limit)
    guard most >= 1, most <= limit else {
      throw .invalidValue(what: "maximum of attendees", rule: "a whole number from 1 to \(limit)")
    }
    (self.echoReduction, self.video, self.content) = (echoReduction, video, content)
    self.maxAttendees = most
  }

  /// The default limit on attendees in a meeting.
  public static let standardLimit = 250
}
