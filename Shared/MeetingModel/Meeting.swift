/// A meeting as it was created: what the control API tells about it.
public struct Meeting: Hashable, Sendable {
  /// Names the meeting in the installation.
  public var id: MeetingID

  /// The application's own label for the meeting.
  public var externalID: ExternalMeetingID

  /// Who hosts the meeting, if the application said so.
  public var hostID: MeetingHostID?

  /// The label of where the meeting's media lives.
  public var region: MediaRegion

  /// What the meeting offers.
  public var features: MeetingFeatures

  /// The primary this meeting is a replica of; `nil` for an ordinary meeting.
  public var primaryID: MeetingID?

  /// The tenants of the meeting: at most five, in the order given.
  public var tenantIDs: [TenantID]

  /// The tags of the meeting: at most fifty, and no key twice.
  public var tags: [MeetingTag]

  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var createdAt: Int64

  /// The public base URL, scheme and host, that the meeting's placement URLs are built on. Fixed
  /// at creation, so that every later answer is the same.
  public var placementBase: String

  /// Whether an operator lets nobody new in.
  public var isLocked: Bool

  /// Makes the record of a meeting.
  public init(
    id: MeetingID, externalID: ExternalMeetingID, hostID: MeetingHostID? = nil,
    region: MediaRegion, features: MeetingFeatures = .standard, primaryID: MeetingID? = nil,
    tenantIDs: [TenantID] = [], tags: [MeetingTag] = [], createdAt: Int64, placementBase: String,
    isLocked: Bool = false
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
    self.isLocked = isLocked
  }

  /// Whether the meeting is the replica of a primary.
  public var isReplica: Bool { primaryID != nil }
}
