import MeetingModel
import Storage

// The operations on tags: they name a meeting by its ARN and have errors of their own.
extension RESTFace {
  func tagResource(
    _ request: RESTRequest, for caller: Caller
  ) async throws(RESTError) -> RESTResponse {
    let members = JSONMembers(try Self.object(in: request))
    let arn = try members.required("ResourceARN", members.string("ResourceARN"))
    let tags = try members.required("Tags", members.tags())
    try await tagged(arn, for: caller) { meeting throws(Status) in
      try await control.setTags(tags, of: meeting)
    }
    return RESTResponse(.noContent)
  }

  func untagResource(
    _ request: RESTRequest, for caller: Caller
  ) async throws(RESTError) -> RESTResponse {
    let members = JSONMembers(try Self.object(in: request))
    let arn = try members.required("ResourceARN", members.string("ResourceARN"))
    let keys = try members.required("TagKeys", members.tagKeys())
    try await tagged(arn, for: caller) { meeting throws(Status) in
      try await control.removeTags(keys, of: meeting)
    }
    return RESTResponse(.noContent)
  }

  func listTags(
    _ query: QueryParameters, for caller: Caller
  ) async throws(RESTError) -> RESTResponse {
    guard let arn = try query.single("arn") else {
      throw RESTError(.badRequest, "The query parameter arn is required.")
    }
    let tags = try await tagged(arn, for: caller) { meeting throws(Status) in
      try await control.tags(of: meeting)
    }
    let listed = tags.map { tag in
      JSONValue.object(["Key": .string(tag.key), "Value": .string(tag.value)])
    }
    return RESTResponse(.ok, .object(["Tags": .array(listed)]))
  }

  /// Does something to the meeting that an ARN names.
  ///
  /// - Throws: `BadRequestException` for what is no ARN, `ResourceNotFoundException` for one that
  ///   names no live meeting of this account, `ForbiddenException`, `TooManyTagsException`.
  private func tagged<Value>(
    _ arn: String, for caller: Caller, _ work: (MeetingID) async throws(Status) -> Value
  ) async throws(RESTError) -> Value {
    guard arn.hasPrefix("arn:"), arn.unicodeScalars.count <= 1_011 else {
      throw RESTError(.badRequest, "An ARN begins with arn: and has at most 1011 characters.")
    }
    guard let meeting = control.settings.meeting(named: arn) else {
      throw RESTError(
        .resourceNotFound, "This ARN names no meeting of this installation.", resourceName: arn)
    }
    try await checkMeeting(meeting, for: caller)
    do { return try await work(meeting) } catch { throw RESTError(error, ofTagsAt: arn) }
  }
}
