/// A meeting as it was created: what the control API tells about it.
public struct Meeting: Hashable, Sendable {
  public var id: MeetingID
  public var externalID: ExternalMeetingID
  public var hostID: MeetingHostID?
  public var region: MediaRegion
  public var features: MeetingFeatures

  /// The primary this meeting is a replica of; `nil` for an ordinary meeting.
  public var primaryID: MeetingID?

  /// At most five, in the order given.
  public var tenantIDs: [TenantID]

  /// At most fifty, no key twice.
  public var tags: [MeetingTag]

  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var createdAt: Int64

  /// The public base URL, scheme and host, that the meeting's placement URLs are built on. Fixed
  /// at creation, so that every later answer is the same.
  public var placementBase: String

  public init(
    id: MeetingID, externalID: ExternalMeetingID, hostID: MeetingHostID? = nil,
    region: MediaRegion, features: MeetingFeatures = .standard, primaryID: MeetingID? = nil,
    tenantIDs: [TenantID] = [], tags: [MeetingTag] = [], createdAt: Int64, placementBase: String
  ) {
    self.id = id
    self.externalID = externalID
    self.hostID = hostID
    self.region = region
    self.features = features
    self.primaryID = primaryID
    self.tenantIDs = tenantIDs
    self.tags = tags
    self.createdAt = createdAt
    self.placementBase = placementBase
  }

  public var isReplica: Bool { primaryID != nil }
}
