internal import MeetingViews
internal import Output
internal import Wire

extension OutputRecord {
  /// Creates the printed record of a meeting.
  init(_ meeting: V1.MeetingRecord) {
    self = [
      "meeting_id": .text(meeting.meetingID),
      "external_meeting_id": .text(meeting.externalMeetingID),
      "media_region": .text(meeting.mediaRegion),
      "primary_meeting_id": .text(meeting.primaryMeetingID),
      "created_at_ms": JSONValue(meeting.createdAtMs),
      "max_attendees": JSONValue(meeting.maxAttendees),
      "attendees": JSONValue(meeting.attendees),
      "present": JSONValue(meeting.present),
      "is_locked": .bool(meeting.isLocked),
      "gateway_url": .text(meeting.gatewayURL),
    ]
  }

  /// Creates the record of an attendee, without the attendee's token.
  init(_ attendee: V1.AttendeeRecord) {
    let capabilities = attendee.capabilities ?? V1.Capabilities()
    self = [
      "meeting_id": .text(attendee.meetingID),
      "attendee_id": .text(attendee.attendeeID),
      "external_user_id": .text(attendee.externalUserID),
      "audio": .text(capabilities.audio.word),
      "video": .text(capabilities.video.word),
      "content": .text(capabilities.content.word),
      "is_muted_by_operator": .bool(attendee.isMutedByOperator),
      "is_barred": .bool(attendee.isBarred),
      "is_present": .bool(attendee.isPresent),
      "created_at_ms": JSONValue(attendee.createdAtMs),
      "display_name": .text(attendee.displayName),
    ]
  }

  /// Creates the record of a roster entry.
  init(_ entry: V1.RosterEntry) {
    self = [
      "attendee_id": .text(entry.attendee?.attendeeID ?? ""),
      "external_user_id": .text(entry.attendee?.externalUserID ?? ""),
      "is_muted": .bool(entry.isMuted),
      "is_muted_by_operator": .bool(entry.isMutedByOperator),
      "volume": .text(entry.volume.word),
      "signal": .text(entry.signal.word),
      "joined_at_ms": JSONValue(entry.joinedAtMs),
      "display_name": .text(entry.attendee?.displayName ?? ""),
    ]
  }

  /// Creates the record of a service's instance.
  init(_ instance: V1.ServiceInstance) {
    self = [
      "service": .text(instance.service),
      "instance": .text(instance.instance),
      "term": JSONValue(instance.term),
      "is_live": .bool(instance.isLive),
      "process_id": JSONValue(instance.processID),
      "started_at_ms": JSONValue(instance.startedAtMs),
      "is_draining": .bool(instance.isDraining),
      "meetings": JSONValue(instance.meetings),
    ]
  }

  /// Creates the record of the limits in force.
  init(_ limits: V1.Limits) {
    self = [
      "max_attendees": JSONValue(limits.maxAttendees),
      "max_cameras": JSONValue(limits.maxCameras),
      "max_videos_without_subscription": JSONValue(limits.maxVideosWithoutSubscription),
      "max_content_shares": JSONValue(limits.maxContentShares),
      "data_message_bytes": JSONValue(limits.dataMessageBytes),
      "kept_data_messages": JSONValue(limits.keptDataMessages),
      "data_message_lifetime_ms": JSONValue(limits.dataMessageLifetimeMs),
      "data_messages_per_second": JSONValue(limits.dataMessagesPerSecond),
      "data_message_burst": JSONValue(limits.dataMessageBurst),
      "client_message_bytes": JSONValue(limits.clientMessageBytes),
      "client_budget_bytes": JSONValue(limits.clientBudgetBytes),
      "idle_meeting_seconds": JSONValue(limits.idleMeetingSeconds),
      "meeting_seconds": JSONValue(limits.meetingSeconds),
      "drop_after_seconds": JSONValue(limits.dropAfterSeconds),
      "resume_seconds": JSONValue(limits.resumeSeconds),
      "requests_per_second": JSONValue(limits.requestsPerSecond),
      "request_burst": JSONValue(limits.requestBurst),
    ]
  }
}

extension V1.MediaDirection {
  /// The REST interface's name of the value.
  fileprivate var word: String {
    switch self {
    case .unspecified, .sendReceive: "SendReceive"
    case .send: "Send"
    case .receive: "Receive"
    case .none: "None"
    case .unrecognized(let number): "\(number)"
    }
  }
}

extension V1.VolumeLevel {
  fileprivate var word: String {
    switch self {
    case .unspecified: "unknown"
    case .muted: "muted"
    case .notSpeaking: "not_speaking"
    case .low: "low"
    case .medium: "medium"
    case .high: "high"
    case .unrecognized(let number): "\(number)"
    }
  }
}

extension V1.SignalStrength {
  fileprivate var word: String {
    switch self {
    case .unspecified: "unknown"
    case .none: "none"
    case .low: "low"
    case .high: "high"
    case .unrecognized(let number): "\(number)"
    }
  }
}
