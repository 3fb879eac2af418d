import MeetingModel
import Storage

// Request bodies with several members. These types are structs because the Swift 6.3.1 compiler
// crashes on a tuple in a parameter pack.

/// The body of BatchUpdateAttendeeCapabilitiesExcept.
struct CapabilitiesExceptRequest: Sendable {
  let capabilities: AttendeeCapabilities

  /// The attendees that keep their capabilities.
  let excluded: Set<AttendeeID>
}

/// The body of TagResource.
struct TagResourceRequest: Sendable {
  let arn: String
  let tags: [MeetingTag]
}

/// The body of UntagResource.
struct UntagResourceRequest: Sendable {
  let arn: String
  let keys: [String]
}

/// The body of CreateWebhook.
struct CreateWebhookRequest: Sendable {
  let url: String

  /// Whether the receiver is enabled; `nil` if the request contains no such member.
  let isEnabled: Bool?
}

/// The body of ReplayWebhook.
struct ReplayWebhookRequest: Sendable {
  let meeting: MeetingID

  /// The sequence number of the first event that the gateway sends again, from 1.
  let sequence: Int64
}
