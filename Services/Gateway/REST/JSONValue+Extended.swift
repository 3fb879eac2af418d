import Foundation
import MeetingModel
import Storage
import Wire

// Makes the response structures that the published interface does not have.
extension JSONValue {
  /// Encodes a meeting as an entry of a list.
  init(listed meeting: Meeting, attendees: Int) {
    var members: [String: JSONValue] = [
      "MeetingId": .string(meeting.id.text),
      "ExternalMeetingId": .string(meeting.externalID.text),
      "MediaRegion": .string(meeting.region.text),
      "CreatedAt": TimestampFormatter.value(meeting.createdAt),
      "AttendeeCount": .integer(Int64(attendees)), "Locked": .bool(meeting.isLocked),
      "TenantIds": .array(meeting.tenantIDs.map { .string($0.text) }),
    ]
    members["PrimaryMeetingId"] = meeting.primaryID.map { .string($0.text) }
    self = .object(members)
  }

  /// Returns the present attendees and the barred attendees.
  ///
  /// A content share appears as a flag of its attendee.
  static func members(
    of roster: V1.RosterSnapshot, barred: [Attendee]
  ) -> [String: JSONValue] {
    let sharing = Set(
      roster.entries.compactMap { entry in
        entry.attendee.flatMap { try? ParticipantID($0.attendeeID) }
          .flatMap { $0.isContent ? $0.attendee.text : nil }
      })
    let present = roster.entries.compactMap { entry -> JSONValue? in
      guard let who = entry.attendee, !who.attendeeID.contains("#") else { return nil }
      var members: [String: JSONValue] = [
        "AttendeeId": .string(who.attendeeID), "ExternalUserId": .string(who.externalUserID),
        "JoinedAt": TimestampFormatter.value(Int64(clamping: entry.joinedAtMs)),
        "Muted": .bool(entry.isMuted), "MutedByOperator": .bool(entry.isMutedByOperator),
        "SharesContent": .bool(sharing.contains(who.attendeeID)),
      ]
      members["DisplayName"] = who.displayName.isEmpty ? nil : .string(who.displayName)
      members["Volume"] = entry.volume.word.map { .string($0) }
      members["SignalStrength"] = entry.signal.word.map { .string($0) }
      return .object(members)
    }
    let away = barred.map { attendee in
      var members: [String: JSONValue] = [
        "AttendeeId": .string(attendee.id.text),
        "ExternalUserId": .string(attendee.externalUserID.text),
      ]
      members["DisplayName"] = attendee.displayName.map { .string($0.text) }
      return JSONValue.object(members)
    }
    return ["Attendees": .array(present), "Barred": .array(away)]
  }

  /// Encodes a guest from the page, including the guest's token.
  init(guest issued: IssuedAttendee) {
    var members = Self.members(of: issued)
    members["DisplayName"] = issued.attendee.displayName.map { .string($0.text) }
    self = .object(members)
  }

  /// Encodes a data message from a meeting's log.
  init(_ message: V1.DataMessage) {
    var members: [String: JSONValue] = [
      "Sequence": .integer(Int64(clamping: message.sequence)), "Topic": .string(message.topic),
      "Data": .string(Data(message.data).base64EncodedString()),
      "SentAt": TimestampFormatter.value(Int64(clamping: message.timestampMs)),
      "LifetimeMs": .integer(Int64(message.lifetimeMs)), "MessageId": .string(message.messageID),
    ]
    if let sender = message.sender, !sender.attendeeID.isEmpty {
      members["AttendeeId"] = .string(sender.attendeeID)
      members["ExternalUserId"] = .string(sender.externalUserID)
      members["DisplayName"] = sender.displayName.isEmpty ? nil : .string(sender.displayName)
    }
    if let text = String(validating: message.data, as: UTF8.self) {
      members["Text"] = .string(text)
    }
    self = .object(members)
  }

  /// Encodes an instance of a service, whether the instance runs now or has stopped.
  init(_ instance: V1.ServiceInstance) {
    self = .object([
      "Service": .string(instance.service), "Instance": .string(instance.instance),
      "Ready": .bool(instance.isLive), "Term": .integer(Int64(clamping: instance.term)),
      "ProcessId": .integer(Int64(instance.processID)),
      "StartedAt": TimestampFormatter.value(Int64(clamping: instance.startedAtMs)),
    ])
  }

  init(_ limits: V1.Limits) {
    let numbers: [String: UInt32] = [
      "MaxAttendees": limits.maxAttendees, "MaxCameras": limits.maxCameras,
      "MaxVideosWithoutSubscription": limits.maxVideosWithoutSubscription,
      "MaxContentShares": limits.maxContentShares, "DataMessageBytes": limits.dataMessageBytes,
      "KeptDataMessages": limits.keptDataMessages,
      "DataMessageLifetimeMs": limits.dataMessageLifetimeMs,
      "DataMessagesPerSecond": limits.dataMessagesPerSecond,
      "DataMessageBurst": limits.dataMessageBurst,
      "ClientMessageBytes": limits.clientMessageBytes,
      "ClientBudgetBytes": limits.clientBudgetBytes,
      "IdleMeetingSeconds": limits.idleMeetingSeconds, "MeetingSeconds": limits.meetingSeconds,
      "DropAfterSeconds": limits.dropAfterSeconds, "ResumeSeconds": limits.resumeSeconds,
      "RequestsPerSecond": limits.requestsPerSecond, "RequestBurst": limits.requestBurst,
    ]
    self = .object(numbers.mapValues { .integer(Int64($0)) })
  }
}

extension V1.VolumeLevel {
  fileprivate var word: String? {
    switch self {
    case .unspecified, .unrecognized: nil
    case .muted: "Muted"
    case .notSpeaking: "NotSpeaking"
    case .low: "Low"
    case .medium: "Medium"
    case .high: "High"
    }
  }
}

extension V1.SignalStrength {
  fileprivate var word: String? {
    switch self {
    case .unspecified, .unrecognized: nil
    case .none: "None"
    case .low: "Low"
    case .high: "High"
    }
  }
}
