import MeetingModel
import Storage

// Makes the response structures of the published interface.
extension JSONValue {
  /// Encodes a `Meeting`, in the same way for all answers.
  init(_ meeting: Meeting, _ settings: ControlSettings) {
    var members: [String: JSONValue] = [
      "MeetingId": .string(meeting.id.text),
      "ExternalMeetingId": .string(meeting.externalID.text),
      "MediaRegion": .string(meeting.region.text),
      "MediaPlacement": JSONValue(MediaPlacement(of: meeting, settings)),
      "MeetingFeatures": JSONValue(meeting.features),
      "TenantIds": .array(meeting.tenantIDs.map { .string($0.text) }),
      "MeetingArn": .string(settings.arn(of: meeting.id)),
    ]
    members["MeetingHostId"] = meeting.hostID.map { .string($0.text) }
    members["PrimaryMeetingId"] = meeting.primaryID.map { .string($0.text) }
    self = .object(members)
  }

  /// Encodes an `Attendee`, always including its token.
  init(_ issued: IssuedAttendee) { self = .object(Self.members(of: issued)) }

  /// Returns the members of an `Attendee` in the published interface.
  static func members(of issued: IssuedAttendee) -> [String: JSONValue] {
    let capabilities = issued.attendee.capabilities
    return [
      "AttendeeId": .string(issued.attendee.id.text),
      "ExternalUserId": .string(issued.attendee.externalUserID.text),
      "JoinToken": .string(issued.joinToken.text),
      "Capabilities": .object([
        "Audio": .string(capabilities.audio.rawValue),
        "Video": .string(capabilities.video.rawValue),
        "Content": .string(capabilities.content.rawValue),
      ]),
    ]
  }

  /// Returns the members `Attendees` and `Errors` of the answer to a request that created several
  /// attendees.
  static func members(of enrolled: CreateAttendeesResult) -> [String: JSONValue] {
    let errors = enrolled.unplaced.map { id in
      JSONValue.object([
        "ExternalUserId": .string(id.text),
        "ErrorCode": .string("LimitExceeded"),
        "ErrorMessage": .string(
          "The meeting is full. Delete an attendee first, or use another meeting."),
      ])
    }
    return [
      "Attendees": .array(enrolled.attendees.map(JSONValue.init(_:))), "Errors": .array(errors),
    ]
  }

  private init(_ placement: MediaPlacement) {
    self = .object([
      "AudioHostUrl": .string(placement.audioHostURL),
      "AudioFallbackUrl": .string(placement.audioFallbackURL),
      "SignalingUrl": .string(placement.signalingURL),
      "TurnControlUrl": .string(placement.turnControlURL),
      "EventIngestionUrl": .string(placement.eventIngestionURL),
      "GatewayUrl": .string(placement.gatewayURL),
    ])
  }

  private init(_ features: MeetingFeatures) {
    let echoReduction: FeatureStatus = features.echoReduction ? .available : .unavailable
    self = .object([
      "Audio": .object(["EchoReduction": .string(echoReduction.rawValue)]),
      "Video": .object(["MaxResolution": .string(features.video.rawValue)]),
      "Content": .object(["MaxResolution": .string(features.content.rawValue)]),
      "Attendee": .object(["MaxCount": .integer(Int64(features.maxAttendees))]),
    ])
  }
}
