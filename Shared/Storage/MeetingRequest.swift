public import MeetingModel

/// What ``MeetingStore/createMeeting(_:at:)`` makes: a meeting, and attendees with it.
public struct MeetingRequest: Sendable {
  /// While the meeting lives, the same token with the same fingerprint names it again.
  public var token: ClientRequestToken
  public var fingerprint: RequestFingerprint

  public var externalID: ExternalMeetingID
  public var hostID: MeetingHostID?
  public var region: MediaRegion
  public var features: MeetingFeatures

  /// Makes the meeting a replica of this one.
  public var primaryID: MeetingID?
  public var tenantIDs: [TenantID]

  /// No key twice: the caller has checked.
  public var tags: [MeetingTag]

  /// See ``Meeting/placementBase``; not part of what makes two requests the same.
  public var placementBase: String

  /// Made with the meeting, in one step.
  public var attendees: [AttendeeRequest]

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
  public var externalUserID: ExternalUserID

  /// `nil` for the meeting's defaults.
  public var capabilities: AttendeeCapabilities?

  public init(externalUserID: ExternalUserID, capabilities: AttendeeCapabilities? = nil) {
    self.externalUserID = externalUserID
    self.capabilities = capabilities
  }
}
