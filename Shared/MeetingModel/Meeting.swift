/// A meeting and its properties, as the control API returns them.
public struct Meeting: Hashable, Sendable {
  /// The meeting's id in the installation.
  public var id: MeetingID

  /// The application's own label for the meeting.
  public var externalID: ExternalMeetingID

  /// The host of the meeting, if the application named one.
  public var hostID: MeetingHostID?

  /// The region label of the meeting's media.
  public var region: MediaRegion

  /// The features of the meeting.
  public var features: MeetingFeatures

  /// The primary meeting of a replica; `nil` for an ordinary meeting.
  public var primaryID: MeetingID?

  /// The tenants of the meeting: at most five, in the order given.
  public var tenantIDs: [TenantID]

  /// The tags of the meeting: at most fifty, with unique keys.
  public var tags: [MeetingTag]

  /// The time of creation, in milliseconds since 1970-01-01T00:00:00Z.
  public var createdAt: Int64

  /// The public base URL (scheme and host) of the meeting's placement URLs.
  ///
  /// The URL never changes after the creation of the meeting, so that every later response is the
  /// same.
  public var placementBase: String

  /// Whether an operator locked the meeting, so that the server admits no new attendees.
  public var isLocked: Bool

  /// Creates the record of a meeting.
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

  /// Whether the meeting is a replica.
  public var isReplica: Bool { primaryID != nil }
}
