import Foundation
import MeetingModel
import Storage

// Reads the bodies of requests for single operations.
extension JSONMembers {
  /// Reads the body of BatchCreateAttendee.
  func attendeeBatch() throws(RESTError) -> [AttendeeRequest] {
    try attendeeRequests(most: 100)
  }

  /// Reads the body of UpdateAttendeeCapabilities.
  func requiredCapabilities() throws(RESTError) -> AttendeeCapabilities {
    try required("Capabilities", capabilities())
  }

  /// Reads the body of BatchUpdateAttendeeCapabilitiesExcept.
  func capabilitiesOfOthers() throws(RESTError) -> CapabilitiesExceptRequest {
    CapabilitiesExceptRequest(
      capabilities: try requiredCapabilities(), excluded: try excludedAttendees())
  }

  /// Reads the body of TagResource.
  func tagging() throws(RESTError) -> TagResourceRequest {
    TagResourceRequest(
      arn: try required("ResourceARN", string("ResourceARN")), tags: try required("Tags", tags()))
  }

  /// Reads the body of UntagResource.
  func untagging() throws(RESTError) -> UntagResourceRequest {
    UntagResourceRequest(
      arn: try required("ResourceARN", string("ResourceARN")),
      keys: try required("TagKeys", tagKeys()))
  }

  /// Reads the body of EraseUser.
  func erasedUser() throws(RESTError) -> ExternalUserID {
    try required("ExternalUserId", text("ExternalUserId", ExternalUserID.init(_:)))
  }

  /// Reads the body of CreateWebhook.
  func newWebhook() throws(RESTError) -> CreateWebhookRequest {
    let url = try required("Url", string("Url"))
    guard Self.isReceiver(url) else {
      throw wrong("Url", "must be http(s)://HOST[:PORT][/PATH], at most 1024 characters")
    }
    return CreateWebhookRequest(url: url, isEnabled: try flag("Enabled"))
  }

  /// Reads the body of ReplayWebhook.
  func eventReplay() throws(RESTError) -> ReplayWebhookRequest {
    let meeting = try required("MeetingId", text("MeetingId", MeetingID.init(_:)))
    let sequence = try integer("FromSequence") ?? 1
    guard sequence >= 1 else { throw wrong("FromSequence", "must be at least 1") }
    return ReplayWebhookRequest(meeting: meeting, sequence: Int64(sequence))
  }

  /// Returns whether a URL is valid for a receiver: the URL has a host, but no user and no
  /// fragment.
  private static func isReceiver(_ text: String) -> Bool {
    guard text.utf8.count <= 1_024, let url = URL(string: text),
      ["http", "https"].contains(url.scheme?.lowercased()), let host = url.host(), !host.isEmpty,
      url.user() == nil, url.password() == nil, url.fragment() == nil
    else { return false }
    return url.port.map { (1...65_535).contains($0) } ?? true
  }
}
