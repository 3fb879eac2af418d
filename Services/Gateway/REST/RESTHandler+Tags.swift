import MeetingModel
import Storage

// Carries out operations on tags. These operations identify a meeting by its ARN, and have their
// own error names.
extension RESTHandler {
  func tagResource(
    _ asked: TagResourceRequest, for caller: Caller
  ) async throws(RESTError) {
    try await tagged(asked.arn, for: caller) { meeting throws(Status) in
      try await control.setTags(asked.tags, of: meeting)
    }
  }

  func untagResource(
    _ asked: UntagResourceRequest, for caller: Caller
  ) async throws(RESTError) {
    try await tagged(asked.arn, for: caller) { meeting throws(Status) in
      try await control.removeTags(asked.keys, of: meeting)
    }
  }

  func listTags(
    of arn: String, for caller: Caller
  ) async throws(RESTError) -> [String: JSONValue] {
    let tags = try await tagged(arn, for: caller) { meeting throws(Status) in
      try await control.tags(of: meeting)
    }
    let listed = tags.map { tag in
      JSONValue.object(["Key": .string(tag.key), "Value": .string(tag.value)])
    }
    return ["Tags": .array(listed)]
  }

  /// Runs an operation on the meeting that an ARN names.
  ///
  /// - Throws: `BadRequestException` for a malformed ARN; `ResourceNotFoundException` if this
  ///   account has no live meeting with the ARN; `ForbiddenException`; `TooManyTagsException`.
  private func tagged<Value>(
    _ arn: String, for caller: Caller, _ work: (MeetingID) async throws(Status) -> Value
  ) async throws(RESTError) -> Value {
    guard arn.hasPrefix("arn:"), arn.unicodeScalars.count <= 1_011 else {
      throw RESTError(.badRequest, "The ARN must begin with arn: and have at most 1011 characters.")
    }
    guard let meeting = control.settings.meeting(named: arn) else {
      throw RESTError(
        .resourceNotFound,
        "This ARN names no meeting of this installation; use the MeetingArn of a live meeting.",
        resourceName: arn)
    }
    try await checkMeeting(meeting, for: caller)
    do { return try await work(meeting) } catch { throw RESTError(error, ofTagsAt: arn) }
  }
}
