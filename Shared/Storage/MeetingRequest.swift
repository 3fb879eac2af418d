public import MeetingModel

/// A request for ``MeetingStore/createMeeting(_:at:)``: a meeting, and the attendees to create with
/// this meeting.
public struct MeetingRequest: Sendable {
  /// The idempotency token. While the meeting is live, a request with the same token, fingerprint
  /// and tenant returns the same meeting.
  public var token: ClientRequestToken

  /// The fingerprint. It distinguishes different requests with the same token.
  public var fingerprint: RequestFingerprint

  /// The application's own label for the meeting.
  public var externalID: ExternalMeetingID

  /// The host of the meeting, if the application names one.
  public var hostID: MeetingHostID?

  /// The region label of the meeting's media.
  public var region: MediaRegion

  /// The features of the meeting.
  public var features: MeetingFeatures

  /// The primary meeting, if the meeting is a replica.
  public var primaryID: MeetingID?

  /// The tenants of the meeting: at most five, in the order given.
  public var tenantIDs: [TenantID]

  /// The tags of the meeting; the caller has checked that keys are unique.
  public var tags: [MeetingTag]

  /// See ``Meeting/placementBase``. A comparison of requests ignores this URL.
  public var placementBase: String

  /// The attendees to create with the meeting, in one transaction.
  public var attendees: [AttendeeRequest]

  /// Creates a request from validated values.
  public init(
    token: ClientRequestToken, fingerprint: RequestFingerprint, externalID: ExternalMeetingID,
    hostID: MeetingHostID? = nil, region: MediaRegion, features: MeetingFeatures = .standard,
    primaryID: MeetingID? = nil, tenantIDs: [TenantID] = [], tags: [MeetingTag] = [],
    placementBase: String, attendees: [AttendeeRequest] = []
  ) {
    self.token = token
    self.fingerprint = fingerprint
    self.externalID = externalID
    self.hostID = hostID
    self.region = region
    self.features = features
    self.primaryID = primaryID
    self.tenantIDs = tenantIDs
    self.tags = tags
    self.placementBase = placementBase
    self.attendees = attendees
  }
}

/// A request for an attendee.
public struct AttendeeRequest: Hashable, Sendable {
  /// The application's own name for the attendee.
  public var externalUserID: ExternalUserID

  /// The attendee's display name, if known.
  public var displayName: DisplayName?

  /// The capabilities; `nil` for the meeting's defaults.
  public var capabilities: AttendeeCapabilities?

  /// Creates a request. Without capabilities, the attendee gets the meeting's defaults.
  public init(
    externalUserID: ExternalUserID, displayName: DisplayName? = nil,
    capabilities: AttendeeCapabilities? = nil
  ) {
    self.externalUserID = externalUserID
    self.displayName = displayName
    self.capabilities = capabilities
  }
}
