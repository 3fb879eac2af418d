import MeetingModel
import Storage

/// Who sends a request, as far as that decides what the request may do.
struct Caller: Hashable, Sendable {
  let role: AccessRole

  /// The only tenant whose meetings the caller may make, see and change; `nil` for all meetings.
  let tenant: TenantID?

  /// Whoever sends requests that need no signature.
  static let anybody = Caller(role: .all, tenant: nil)

  /// - Throws: `ForbiddenException` for an operation that the role does not have.
  func checkMayUse(_ operation: RESTOperation) throws(RESTError) {
    let isAllowed =
      switch role {
      case .all: true
      case .createOnly: operation.kind == .creates
      case .readOnly: operation.kind == .reads
      }
    guard isAllowed else {
      throw RESTError(
        .forbidden, "A \(role.rawValue) key may not be used for \(operation.rawValue).")
    }
  }

  /// - Throws: `ForbiddenException` for a meeting of other tenants.
  func checkMayUse(_ meeting: Meeting) throws(RESTError) {
    try checkMayUse(meetingOf: meeting.tenantIDs)
  }

  /// - Throws: `ForbiddenException` for a meeting of other tenants.
  func checkMayUse(meetingOf tenants: [TenantID]) throws(RESTError) {
    guard let tenant, !tenants.contains(tenant) else { return }
    throw RESTError(.forbidden, "The meeting does not belong to this key's tenant.")
  }
}

extension RESTOperation {
  /// Whether it is one of `/carillon/v1/` for applications, which the published interface does not
  /// have; what the page alone asks for is not.
  var isExtended: Bool {
    switch self {
    case .listMeetings, .getRoster, .setMuted, .kickAttendee, .allowAttendee, .setLocked,
      .listMessages, .listEvents, .getAttendance, .getLimits, .getServices, .eraseUser,
      .listWebhooks, .createWebhook, .getWebhook, .setWebhook, .deleteWebhook, .replayWebhook,
      .getOpenAPI, .getEndpoints:
      true
    case .createMeeting, .createMeetingWithAttendees, .getMeeting, .deleteMeeting, .createAttendee,
      .batchCreateAttendee, .getAttendee, .listAttendees, .deleteAttendee,
      .updateAttendeeCapabilities, .batchUpdateAttendeeCapabilitiesExcept,
      .startMeetingTranscription, .stopMeetingTranscription, .tagResource, .untagResource,
      .listTagsForResource, .putClientEvents, .getHealth, .describeWeb, .joinFromWeb,
      .captionFromWeb, .unknown:
      false
    }
  }

  /// What an operation does, as roles tell operations apart.
  enum Kind {
    case creates, reads, changes
  }

  var kind: Kind {
    switch self {
    case .createMeeting, .createMeetingWithAttendees, .createAttendee, .batchCreateAttendee:
      .creates
    case .getMeeting, .getAttendee, .listAttendees, .listTagsForResource, .getEndpoints, .getHealth,
      .listMeetings, .getRoster, .listMessages, .listEvents, .getAttendance, .getLimits,
      .getServices, .listWebhooks, .getWebhook, .getOpenAPI, .describeWeb:
      .reads
    case .deleteMeeting, .deleteAttendee, .updateAttendeeCapabilities,
      .batchUpdateAttendeeCapabilitiesExcept, .startMeetingTranscription, .stopMeetingTranscription,
      .tagResource, .untagResource, .putClientEvents, .setMuted, .kickAttendee, .allowAttendee,
      .setLocked, .eraseUser, .createWebhook, .setWebhook, .deleteWebhook, .replayWebhook,
      .joinFromWeb, .captionFromWeb, .unknown:
      .changes
    }
  }
}
