import MeetingModel
import Storage

// Reads the bodies of requests about meetings and attendees.
extension JSONMembers {
  /// Reads the members of CreateMeeting and CreateMeetingWithAttendees.
  func meetingRequest(
    fingerprint: RequestFingerprint, placementBase: String, attendees: [AttendeeRequest],
    _ settings: ControlSettings
  ) throws(RESTError) -> MeetingRequest {
    try checkNotifications()
    let _: NetworkType? = try word("MediaPlacementNetworkType")
    return MeetingRequest(
      token: try required(
        "ClientRequestToken", text("ClientRequestToken", ClientRequestToken.init(_:))),
      fingerprint: fingerprint,
      externalID: try required(
        "ExternalMeetingId", text("ExternalMeetingId", ExternalMeetingID.init(_:))),
      hostID: try text("MeetingHostId", MeetingHostID.init(_:)),
      region: try required(
        "MediaRegion",
        text("MediaRegion") { region throws(InvalidModelValue) in
          try MediaRegion(region, additional: settings.additionalRegions)
        }),
      features: try features(upTo: settings.maxAttendees),
      primaryID: try text("PrimaryMeetingId", MeetingID.init(_:)),
      tenantIDs: try tenantIDs(),
      tags: try tags() ?? [],
      placementBase: placementBase,
      attendees: attendees)
  }

  /// Reads the list `Attendees`.
  ///
  /// - Parameter most: The maximum number of attendees in the list. The minimum is 1.
  func attendeeRequests(most: Int) throws(RESTError) -> [AttendeeRequest] {
    let items = try required("Attendees", objects("Attendees", 1...most))
    var requests: [AttendeeRequest] = []
    for item in items { requests.append(try item.attendeeRequest()) }
    return requests
  }

  /// Reads the members of CreateAttendee, or of one item of a list.
  func attendeeRequest() throws(RESTError) -> AttendeeRequest {
    AttendeeRequest(
      externalUserID: try required(
        "ExternalUserId", text("ExternalUserId", ExternalUserID.init(_:))),
      capabilities: try capabilities())
  }

  /// Reads the member `Capabilities`, which must contain all three directions.
  func capabilities() throws(RESTError) -> AttendeeCapabilities? {
    guard let asked = try object("Capabilities") else { return nil }
    let audio: MediaDirection = try asked.required("Audio", asked.word("Audio"))
    let video: MediaDirection = try asked.required("Video", asked.word("Video"))
    let content: MediaDirection = try asked.required("Content", asked.word("Content"))
    return try checked("Capabilities") { () throws(InvalidModelValue) in
      try AttendeeCapabilities(audio: audio, video: video, content: content)
    }
  }

  /// Reads the list `ExcludedAttendeeIds`.
  func excludedAttendees() throws(RESTError) -> Set<AttendeeID> {
    var excluded: Set<AttendeeID> = []
    for item in try required("ExcludedAttendeeIds", objects("ExcludedAttendeeIds", 1...250)) {
      excluded.insert(
        try item.required("AttendeeId", item.text("AttendeeId", AttendeeID.init(_:))))
    }
    return excluded
  }

  // MARK: Members of a meeting

  private func features(upTo limit: Int) throws(RESTError) -> MeetingFeatures {
    let asked = try object("MeetingFeatures") ?? JSONMembers([:])
    let echoReduction: FeatureStatus? = try asked.object("Audio")?.word("EchoReduction")
    let video: VideoLimit? = try asked.object("Video")?.word("MaxResolution")
    let content: ContentShareLimit? = try asked.object("Content")?.word("MaxResolution")
    let maxAttendees = try asked.object("Attendee")?.integer("MaxCount")
    return try asked.checked("Attendee.MaxCount") { () throws(InvalidModelValue) in
      try MeetingFeatures(
        echoReduction: echoReduction == .available, video: video ?? .hd, content: content ?? .fhd,
        maxAttendees: maxAttendees, upTo: limit)
    }
  }

  private func tenantIDs() throws(RESTError) -> [TenantID] {
    var tenants: [TenantID] = []
    for text in try strings("TenantIds", 1...5) ?? [] {
      tenants.append(
        try checked("TenantIds") { () throws(InvalidModelValue) in try TenantID(text) })
    }
    return tenants
  }

  /// Reads the list `Tags`, in which each key may appear only once.
  func tags() throws(RESTError) -> [MeetingTag]? {
    guard let items = try objects("Tags", 0...MeetingStore.maxTags) else { return nil }
    var tags: [MeetingTag] = []
    var keys: Set<String> = []
    for item in items {
      let key = try item.required("Key", item.string("Key"))
      let value = try item.required("Value", item.string("Value"))
      tags.append(
        try checked("Tags") { () throws(InvalidModelValue) in try MeetingTag(key: key, value: value)
        })
      guard keys.insert(key).inserted else {
        throw wrong("Tags", "has the key \(key) more than once")
      }
    }
    return tags
  }

  /// Reads the list `TagKeys`, whose keys must be valid.
  func tagKeys() throws(RESTError) -> [String]? {
    guard let keys = try strings("TagKeys", 0...MeetingStore.maxTags) else { return nil }
    guard keys.allSatisfy(MeetingTag.isValidKey) else {
      throw wrong("TagKeys", "has a key that no tag can have")
    }
    return keys
  }

  /// Validates the notification settings.
  ///
  /// The settings have no effect, because this installation calls no notification services.
  private func checkNotifications() throws(RESTError) {
    guard let asked = try object("NotificationsConfiguration") else { return }
    for name in ["LambdaFunctionArn", "SnsTopicArn", "SqsQueueArn"] {
      guard let arn = try asked.string(name) else { continue }
      guard (4...1_024).contains(arn.utf8.count), arn.hasPrefix("arn"),
        arn.utf8.dropFirst(3).allSatisfy(Self.isARNByte)
      else {
        throw asked.wrong(
          name, "must be arn and then letters, digits or / : - _ . of at most 1024 characters")
      }
    }
  }

  private static func isARNByte(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      // This range contains the digits and the two neighbors of the digits in ASCII: slash and
      // colon.
      || (UInt8(ascii: "/")...UInt8(ascii: ":")).contains(byte)
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
  }
}

/// `MeetingFeatureStatus`.
enum FeatureStatus: String, CaseIterable {
  case available = "AVAILABLE"
  case unavailable = "UNAVAILABLE"
}

/// `MediaPlacementNetworkType`. The gateway validates the value, but the value has no effect.
enum NetworkType: String, CaseIterable {
  case ipv4Only = "Ipv4Only"
  case dualStack = "DualStack"
}
