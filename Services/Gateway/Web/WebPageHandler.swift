import Foundation
import MeetingModel
import ServiceHost
import Storage
import Wire

/// The handler of the page's requests for files and joins.
struct WebPageHandler: Sendable {
  /// The page's files; `nil` if the gateway serves no page.
  let files: WebFiles?
  let lobby: MeetingStartPolicy
  let origins: OriginPolicy
  let desk: LobbyAdmission

  /// The rule for frames in pages of other origins; `nil` if no page may embed the meeting page.
  var embedding: WebEmbedding?

  /// Returns the languages that the attached engines can transcribe.
  let languages: @Sendable () async -> [String]

  // MARK: Pages of other origins

  func preflight(for request: RESTRequest) -> RESTResponse? {
    guard let origin = request.header("Origin"), origins.names(origin),
      request.header("Access-Control-Request-Method") != nil
    else { return nil }
    var response = RESTResponse(.noContent)
    response.headers = [
      .init(name: "Access-Control-Allow-Methods", value: "GET, POST, PUT, DELETE"),
      .init(
        name: "Access-Control-Allow-Headers",
        value: "authorization, content-type, x-amz-date, x-amz-security-token, "
          + "x-amz-content-sha256"),
      .init(name: "Access-Control-Max-Age", value: "600"),
    ]
    return allowing(response, to: request)
  }

  /// Adds a CORS header to a response if the operator has listed the page's origin. The header
  /// allows the page to read the response.
  func allowing(_ response: RESTResponse, to request: RESTRequest) -> RESTResponse {
    guard let origin = request.header("Origin"), origins.names(origin) else { return response }
    var response = response
    response.headers.append(.init(name: "Access-Control-Allow-Origin", value: origin))
    response.headers.append(.init(name: "Vary", value: "Origin"))
    return response
  }

  // MARK: Operations

  /// Returns the settings that the page needs before its first request.
  func description() async -> RESTResponse {
    RESTResponse(
      .ok,
      .object([
        "Lobby": .string(lobby.name), "Version": .string(BuildVersion.current),
        "TranscriptionLanguages": .array(await languages().map { .string($0) }),
      ]))
  }
}

extension RESTHandler {
  /// Creates an attendee for a guest from the page. If the guest requests a new meeting, also
  /// creates the meeting. A guest who starts a meeting also gets a host token.
  ///
  /// - Throws: `ForbiddenException` if the meeting does not exist and the guest may not start
  ///   meetings.
  func joinFromPage(
    _ request: RESTRequest, for caller: Caller
  ) async throws(RESTError) -> RESTResponse {
    guard let web else {
      throw RESTError(.unknownOperation, "This gateway serves no page; start it with --web-root.")
    }
    let members = JSONMembers(try Self.object(in: request))
    let (meeting, name) = try Self.visitor(members)
    let creates = try members.flag("Create") ?? false
    let mayStart = caller.visit != .guest
    let base = try placementBase(for: request)
    do throws(Status) {
      let (found, issued, isNew) = try await web.desk.join(
        meeting, as: name, creating: creates && mayStart ? base : nil, control)
      let answer = [
        "Meeting": value(of: found, at: base), "Attendee": JSONValue(guest: issued),
        "Name": .string(meeting.text),
      ]
      let host = isNew ? hostToken(of: found.id) : [:]
      return RESTResponse(.ok, .object(answer.merging(host) { own, _ in own }))
    } catch {
      if creates, !mayStart, error.code == .notFound {
        throw RESTError(
          .forbidden, "There is no such meeting. To start one, enter the key of this server.")
      }
      throw RESTError(error)
    }
  }

  /// Starts or stops captions in a language, for an operator or an attendee of the meeting. While a
  /// host is present, attendees without a host token may neither start nor stop captions.
  ///
  /// - Throws: `ForbiddenException` if a visitor does not send an attendee's join token, or if a
  ///   host is present.
  func captionFromPage(
    _ request: RESTRequest, in id: MeetingID, for caller: Caller
  ) async throws(RESTError) -> RESTResponse {
    guard try await mayCaption(request, in: id, for: caller) else {
      throw RESTError(.forbidden, "While a host is present, only hosts start and stop captions.")
    }
    if request.method == "DELETE" {
      try await stopTranscription(of: id)
      return RESTResponse(.noContent)
    }
    let configuration = try JSONMembers(try Self.object(in: request)).captionConfiguration()
    try await startTranscription(configuration, of: id)
    return RESTResponse(.ok)
  }

  /// Returns whether an operator or an attendee of the meeting may start and stop captions now.
  ///
  /// - Throws: `ForbiddenException` if a visitor does not send an attendee's join token.
  func captionRightFromPage(
    _ request: RESTRequest, in id: MeetingID, for caller: Caller
  ) async throws(RESTError) -> RESTResponse {
    let may = try await mayCaption(request, in: id, for: caller)
    return RESTResponse(.ok, .object(["MaySwitch": .bool(may)]))
  }

  private func mayCaption(
    _ request: RESTRequest, in id: MeetingID, for caller: Caller
  ) async throws(RESTError) -> Bool {
    guard caller.visit != nil else { return true }
    _ = try await attendee(
      of: id, request,
      orRefuse: "Only attendees of the meeting can switch captions. Join the meeting first.")
    return try await !hasHost(in: id)
  }

  /// Issues a host token to an attendee whom a host has appointed.
  ///
  /// - Throws: `ForbiddenException` if the request has no join token of the meeting, or no valid
  ///   appointment of this token's attendee, or if an operator or a host has removed the attendee.
  func hostFromPage(
    _ request: RESTRequest, in id: MeetingID
  ) async throws(RESTError) -> RESTResponse {
    let refusal = "No host has appointed you, or the appointment has expired. Ask a host again."
    let members = JSONMembers(try Self.object(in: request))
    let appointment = HostAppointment(
      try members.required("Appointment", members.string("Appointment")))
    let attendee = try await attendee(of: id, request, orRefuse: refusal)
    let isAppointed = control.store.tokens.appointments.isValid(
      appointment, for: attendee, in: id, at: control.settings.now() / 1_000)
    guard isAppointed else { throw RESTError(.forbidden, refusal) }
    return RESTResponse(.ok, .object(hostToken(of: id)))
  }

  /// Returns the attendee whose join token a request carries.
  ///
  /// - Throws: `ForbiddenException` with the given message if the token does not admit the attendee
  ///   to the meeting.
  private func attendee(
    of meeting: MeetingID, _ request: RESTRequest, orRefuse refusal: String
  ) async throws(RESTError) -> AttendeeID {
    let token = try Self.bearerToken(in: request.header("Authorization"))
    if let attendee = token.participant?.attendee {
      let admission: JoinCredentialsCheck
      do throws(StorageError) {
        admission = try await control.store.admission(
          meeting: meeting, attendee: attendee, token: token)
      } catch {
        throw RESTError(control.report(error))
      }
      if case .admitted(_, let admitted) = admission, !admitted.isBarred { return attendee }
    }
    throw RESTError(.forbidden, refusal)
  }
}
