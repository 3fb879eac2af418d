import MeetingModel
import ServiceHost
import Storage
import Wire

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
    let knock = KnockTicket(id: .random(), meeting: meeting.id, name: name, openedAt: nowMs)
    let state = try await knocking { () async throws(Status) in
      try await control.knock(knock, from: request.address)
    }
    metrics.knocks[.accepted].increment()
    let ticket = control.store.tokens.knockTickets.text(of: knock)
    return RESTResponse(.ok, .object(["Knock": .string(ticket), "State": Self.state(state)]))
  }

  /// Returns the state of a knock. If a host has admitted the knock, or if the meeting no longer
  /// has a lock, creates the attendee. If this fails, for example because the meeting is full, the
  /// person waits again.
  ///
  /// - Throws: `NotFoundException` for an unknown knock; `UnprocessableEntityException` if no host
  ///   is present; `ThrottlingException` if too many people knock.
  func followKnockFromPage(_ request: RESTRequest) async throws(RESTError) -> RESTResponse {
    guard let web else {
      throw RESTError(.unknownOperation, "This gateway serves no page; start it with --web-root.")
    }
    let members = JSONMembers(try Self.object(in: request))
    let text = try members.required("Knock", members.string("Knock"))
    let base = try placementBase(for: request)
    guard let knock = control.store.tokens.knockTickets.ticket(in: text) else {
      throw refused(.unknown)
    }
    let state = try await knocking { () async throws(Status) in
      try await control.knock(knock, from: request.address)
    }
    if state == .denied { return RESTResponse(.ok, .object(["State": Self.state(.denied)])) }
    let meeting = try await done { () async throws(Status) in
      try await control.meeting(knock.meeting)
    }
    guard state == .admitted || !meeting.isLocked else {
      return RESTResponse(.ok, .object(["State": Self.state(.waiting)]))
    }
    let entered = try await knocking { () async throws(Status) in
      try await control.enter(with: knock) { () async throws(Status) in
        try await web.desk.admit(knock.name, to: meeting, control)
      }
    }
    guard let issued = entered else {
      return RESTResponse(.ok, .object(["State": Self.state(.waiting)]))
    }
    return RESTResponse(
      .ok,
      .object([
        "State": Self.state(.admitted), "Meeting": value(of: meeting, at: base),
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

  /// Returns the waiting knocks, oldest first. `presence` regards a host as present while the
  /// host's page calls this operation.
  func listKnocks(of meeting: MeetingID) async throws(RESTError) -> [String: JSONValue] {
    let waiting = try await done { () async throws(Status) in
      try await control.knocks(at: meeting)
    }
    let entries = waiting.map { knock in
      JSONValue.object([
        "KnockId": .string(knock.knockID), "DisplayName": .string(knock.displayName),
      ])
    }
    return ["Knocks": .array(entries)]
  }

  /// Returns whether the page of a host has called ListKnocks within the last 15 s, through any
  /// gateway.
  func hasHost(in meeting: MeetingID) async throws(RESTError) -> Bool {
    try await done { () async throws(Status) in try await control.hasHost(in: meeting) }
  }

  /// Admits or denies a knock.
  ///
  /// - Throws: `NotFoundException` if no knock with this id waits at the meeting, or if a host has
  ///   given the opposite answer; `LimitExceededException` for an admission to a full meeting. The
  ///   person then continues to wait.
  func answerKnock(_ answer: KnockAnswer, at meeting: MeetingID) async throws(RESTError) {
    guard let id = try? KnockID(answer.id) else { throw refused(.unknown) }
    if answer.admits {
      try await done { () async throws(Status) in try await control.requireRoom(in: meeting) }
    }
    try await knocking { () async throws(Status) in
      try await control.answer(id, at: meeting, admits: answer.admits)
    }
    metrics.knocks[answer.admits ? .admitted : .denied].increment()
  }

  // MARK: Parts

  private var nowMs: Int64 { control.settings.now() }

  private func knocking<Value>(
    _ work: () async throws(Status) -> Value
  ) async throws(RESTError) -> Value {
    do throws(Status) { return try await work() } catch {
      guard let refusal = KnockRefusal(error) else { throw RESTError(error) }
      throw refused(refusal)
    }
  }

  private func refused(_ refusal: KnockRefusal) -> RESTError {
    metrics.knocks[KnockOutcome(refusal)].increment()
    return RESTError(refusal)
  }

  private static func state(_ state: KnockState) -> JSONValue { .string(state.rawValue) }
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
