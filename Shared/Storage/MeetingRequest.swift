public import MeetingModel

/// What ``MeetingStore/createMeeting(_:at:)`` makes: a meeting, and attendees with it.
public struct MeetingRequest: Sendable {
  /// While the meeting lives, the same token with the same fingerprint names it again, for the
  /// same tenant.
  public var token: ClientRequestToken

  /// Tells this request from others with the same token.
  public var fingerprint: RequestFingerprint

  /// The application's own label for the meeting.
  public var externalID: ExternalMeetingID

  /// Who hosts the meeting, if the application says so.
  public var hostID: MeetingHostID?

  /// The label of where the meeting's media lives.
  public var region: MediaRegion

  /// What the meeting offers.
  public var features: MeetingFeatures

  /// Makes the meeting a replica of this one.
  public var primaryID: MeetingID?

  /// The tenants of the meeting: at most five, in the order given.
  public var tenantIDs: [TenantID]

  /// The tags of the meeting; no key comes twice, which the caller has checked.
  public var tags: [MeetingTag]

  /// See ``Meeting/placementBase``; not part of what makes two requests the same.
  public var placementBase: String

  /// The attendees that are made with the meeting, in one step.
  public var attendees: [AttendeeRequest]

  /// Collects what was checked already.
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

/// An attendee to be made.
public struct AttendeeRequest: Hashable, Sendable {
  /// The application's own name for the attendee.
  public var externalUserID: ExternalUserID

  /// What people call the attendee, if that is known.
  public var displayName: DisplayName?

  /// `nil` for the meeting's defaults.
  public var capabilities: AttendeeCapabilities?

  /// Asks for an attendee, with the meeting's defaults if no capabilities are named.
  public init(
    externalUserID: ExternalUserID, displayName: DisplayName? = nil,
    capabilities: AttendeeCapabilities? = nil
  ) {
    self.externalUserID = externalUserID
    self.displayName = displayName
    self.capabilities = capabilities
  }
}
