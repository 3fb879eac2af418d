import MeetingModel
import ServiceHost
import Storage

// Knocks: a person at a locked meeting waits until a host answers.
extension RESTHandler {
  // MARK: The page that knocks

  /// Adds a knock of a visitor at a locked meeting.
  ///
  /// - Throws: `NotFoundException` if the meeting does not exist; `ConflictException` for a meeting
  ///   without a lock; `UnprocessableEntityException` if no host is present; `ThrottlingException`
  ///   if too many people knock.
  func knockFromPage(_ request: RESTRequest) async throws(RESTError) -> RESTResponse {
    guard let web else {
      throw RESTError(.unknownOperation, "This gateway serves no page; start it with --web-root.")
    }
    let (typed, name) = try Self.visitor(JSONMembers(try Self.object(in: request)))
    let meeting = try await done { () async throws(Status) in
      try await web.desk.meeting(typed, control)
    }
    guard meeting.isLocked else {
      throw RESTError(.conflict, "The meeting is not locked; join it.")
    }
    let secret = try knocking { (knocks) throws(KnockRefusal) in
      try knocks.knock(at: meeting.id, as: name, from: request.address, now: nowMs)
    }
    metrics.knocks[.accepted].increment()
    return RESTResponse(.ok, .object(["Knock": .string(secret), "State": Self.state(.waiting)]))
  }

  /// Returns the state of a knock. If a host has admitted the knock, or if the meeting no longer
  /// has a lock, creates the attendee.
  ///
  /// - Throws: `NotFoundException` for an unknown knock; `UnprocessableEntityException` if no host
  ///   is present.
  func followKnockFromPage(_ request: RESTRequest) async throws(RESTError) -> RESTResponse {
    guard let web else {
      throw RESTError(.unknownOperation, "This gateway serves no page; start it with --web-root.")
    }
    let members = JSONMembers(try Self.object(in: request))
    let secret = try members.required("Knock", members.string("Knock"))
    let knock = try knocking { (knocks) throws(KnockRefusal) in
      try knocks.ask(secret, now: nowMs)
    }
    if knock.state == .denied {
      return RESTResponse(.ok, .object(["State": Self.state(.denied)]))
    }
    let meeting = try await done { () async throws(Status) in
      try await control.meeting(knock.meeting)
    }
    guard knock.state == .admitted || !meeting.isLocked else {
      return RESTResponse(.ok, .object(["State": Self.state(.waiting)]))
    }
    let isTaken = try knocking { (knocks) throws(KnockRefusal) in knocks.take(secret) }
    guard isTaken else { throw RESTError(KnockRefusal.unknown) }
    let issued = try await done { () async throws(Status) in
      try await web.desk.admit(knock.name, to: meeting, control)
    }
    return RESTResponse(
      .ok,
      .object([
        "State": Self.state(.admitted), "Meeting": JSONValue(meeting, control.settings),
        "Attendee": JSONValue(guest: issued),
      ]))
  }

  /// Reads the meeting and the name in a visitor's request.
  static func visitor(
    _ members: JSONMembers
  ) throws(RESTError) -> (meeting: EnteredMeetingName, name: DisplayName) {
    (
      try members.required(
        "Meeting",
        members.text("Meeting") { text throws(InvalidModelValue) in
          try EnteredMeetingName(typed: text)
        }),
      try members.required(
        "Name",
        members.text("Name") { text throws(InvalidModelValue) in try DisplayName(typed: text) })
    )
  }

  // MARK: Hosts

  /// Returns the waiting knocks, oldest first. The gateway regards a host as present while the
  /// host's page calls this operation.
  func listKnocks(of meeting: MeetingID) async throws(RESTError) -> [String: JSONValue] {
    let waiting = try knocking { (knocks) throws(KnockRefusal) in
      knocks.list(for: meeting, now: nowMs)
    }
    let entries = waiting.map { knock in
      JSONValue.object(["KnockId": .string(knock.id), "DisplayName": .string(knock.name.text)])
    }
    return ["Knocks": .array(entries)]
  }

  /// Returns whether the page of a host has called ListKnocks within the last 15 s.
  func hasHost(in meeting: MeetingID) -> Bool { knocks.hasHost(in: meeting, now: nowMs) }

  /// Admits or denies a knock.
  ///
  /// - Throws: `NotFoundException` if no knock with this id waits at the meeting.
  func answerKnock(_ answer: KnockAnswer, at meeting: MeetingID) async throws(RESTError) {
    try knocking { (knocks) throws(KnockRefusal) in
      try knocks.answer(answer.id, at: meeting, admits: answer.admits, now: nowMs)
    }
    metrics.knocks[answer.admits ? .admitted : .denied].increment()
  }

  // MARK: Parts

  private var nowMs: Int64 { control.settings.now() }

  private func knocking<Value>(
    _ body: (inout Knocks) throws(KnockRefusal) -> sending Value
  ) throws(RESTError) -> Value {
    do throws(KnockRefusal) { return try knocks.with(body) } catch {
      metrics.knocks[KnockOutcome(error)].increment()
      throw RESTError(error)
    }
  }

  private static func state(_ state: Knocks.State) -> JSONValue { .string(state.rawValue) }
}

/// A host's answer to a knock.
struct KnockAnswer: Hashable, Sendable {
  let id: String
  let admits: Bool
}

extension JSONMembers {
  /// Reads the body of AnswerKnock.
  func knockAnswer() throws(RESTError) -> KnockAnswer {
    KnockAnswer(
      id: try required("KnockId", string("KnockId")), admits: try required("Admit", flag("Admit")))
  }
}

extension RESTError {
  /// Maps a refused knock to an error for clients.
  init(_ refusal: KnockRefusal) {
    switch refusal {
    case .noHost:
      self.init(
        .unprocessableEntity,
        "The meeting is locked, and no host is present to let you in. Try again later.")
    case .crowded:
      self.init(
        .throttling, "Too many people ask to be let in; try again in a minute.", retryAfter: 60)
    case .unknown: self.init(.notFound, "Nobody waits with this knock; knock again.")
    }
  }
}

/// The outcome of a knock, as a label of metrics.
enum KnockOutcome: String, MetricLabel {
  static let labelName = "outcome"

  case accepted
  case admitted
  case denied
  case noHost = "no_host"
  case crowded
  case unknown

  init(_ refusal: KnockRefusal) {
    self =
      switch refusal {
      case .noHost: .noHost
      case .crowded: .crowded
      case .unknown: .unknown
      }
  }
}
