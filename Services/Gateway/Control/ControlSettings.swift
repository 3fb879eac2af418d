import MeetingModel

/// The operator's settings for the control plane.
struct ControlSettings: Sendable {
  /// The ZeroMQ endpoint for clients of this gateway.
  var gatewayURL: String

  /// The base of new meetings' URLs if ``publicURL`` is `nil` and the request has no `Host` header.
  var localURL: PublicURL

  /// The configured base of new meetings' URLs.
  var publicURL: PublicURL?

  /// The region of a new meeting if the request contains none.
  var defaultRegion: MediaRegion

  /// The regions that the gateway accepts in addition to the regions of the published interface.
  var additionalRegions: Set<String>

  /// The region in every ARN. It does not depend on a meeting's region.
  var controlRegion: String

  /// The maximum number of attendees of a meeting. A request may lower the maximum for its meeting.
  var maxAttendees: Int

  /// The account in every ARN: twelve digits.
  var account: String

  /// The public host of `media`. If the value is `nil`, clients use the host in the meeting's URLs.
  var mediaHost: String?

  /// The UDP port of `media`.
  var mediaPort: Int

  /// Returns the time in milliseconds since 1970-01-01T00:00:00Z.
  var now: @Sendable () -> Int64

  /// - Parameter defaultRegion: A region of the published interface or of `additionalRegions`.
  /// - Throws: `invalidArgument` with a message that names the unusable value.
  init(
    gatewayURL: String, localURL: PublicURL, publicURL: PublicURL? = nil,
    defaultRegion: String = "us-east-1", additionalRegions: Set<String> = [],
    controlRegion: String = "us-east-1", account: String = "000000000000",
    mediaHost: String? = nil, mediaPort: Int = 7401,
    maxAttendees: Int = MeetingFeatures.standardLimit, now: @escaping @Sendable () -> Int64
  ) throws(Status) {
    do {
      self.defaultRegion = try MediaRegion(defaultRegion, additional: additionalRegions)
    } catch {
      throw error.status
    }
    try Self.check(account: account, controlRegion: controlRegion)
    guard (1...65_535).contains(mediaPort) else {
      throw Status(.invalidArgument, "The port of media must be 1-65535; got \(mediaPort).")
    }
    self.gatewayURL = gatewayURL
    self.localURL = localURL
    self.publicURL = publicURL
    self.additionalRegions = additionalRegions
    self.controlRegion = controlRegion
    self.account = account
    self.mediaHost = mediaHost
    self.mediaPort = mediaPort
    self.maxAttendees = maxAttendees
    self.now = now
  }

  /// Checks the account and the region of ARNs.
  ///
  /// - Throws: `invalidArgument` with a message that names the unusable value.
  static func check(account: String, controlRegion: String) throws(Status) {
    guard account.utf8.count == 12, account.utf8.allSatisfy(Self.isDigit) else {
      throw Status(.invalidArgument, "--account must be 12 digits; got \(account).")
    }
    guard (1...64).contains(controlRegion.utf8.count),
      controlRegion.utf8.allSatisfy({ Self.isDigit($0) || Self.isLowerCase($0) || $0 == 0x2D })
    else {
      throw Status(
        .invalidArgument, "--control-region must be 1-64 of a-z, 0-9 and -; got \(controlRegion)."
      )
    }
  }

  /// Returns the ARN of a meeting.
  func arn(of meeting: MeetingID) -> String {
    arnPrefix + meeting.text
  }

  /// Returns the meeting in `arn`; `nil` unless the ARN has this account and region.
  func meeting(named arn: String) -> MeetingID? {
    guard arn.hasPrefix(arnPrefix) else { return nil }
    return try? MeetingID(String(arn.dropFirst(arnPrefix.count)))
  }

  private var arnPrefix: String { "arn:aws:chime:\(controlRegion):\(account):meeting/" }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isLowerCase(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }
}
