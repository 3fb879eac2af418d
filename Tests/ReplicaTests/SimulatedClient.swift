import AudienceModel
import Bus
import MeetingModel
import OwnerTestSupport
import Wire

@testable import Gateway

/// A client, as the client's user sees it. The client knows only the events that it received.
final class SimulatedClient {
  /// One attempt to be promoted, and its outcome.
  final class Attempt {
    let person: Person
    fileprivate(set) var answers = 0
    fileprivate(set) var successes = 0
    fileprivate(set) var ends = 0

    /// Whether the client lost its connection before the answer.
    fileprivate(set) var isForlorn = false

    init(_ person: Person) { self.person = person }
  }

  let number: UInt8
  let person: Person
  let meeting: MeetingID

  /// The session that connects the client to a gateway now.
  private(set) var session: GatewayClientSession?
  private(set) var isStarted = false

  /// The session that the client may resume.
  private(set) var resumable: SessionID?

  /// The successful attempt that the gateway reported to the client and whose promotion has not
  /// ended.
  private(set) var promotion: Attempt?
  private(set) var attempts: [Attempt] = []

  /// Whether the gateway has reported to the client that the client's camera is published.
  var isPublishing = false
  private var draws: UInt8 = 0

  init(_ number: UInt8, _ person: Person, in meeting: MeetingID) {
    (self.number, self.person, self.meeting) = (number, person, meeting)
  }

  var member: AudienceModel.Member {
    AudienceModel.Member(meeting: meeting, attendee: person.attendee)
  }

  var isReplica: Bool { meeting != Installation.primary }

  /// Returns the id of the client's next session, or of the session that the client resumes.
  func drawSession() -> SessionID {
    if let resumable { return resumable }
    draws += 1
    let bytes = [number, draws] + [UInt8](repeating: 7, count: 14)
    guard let id = SessionID(bytes: bytes) else { preconditionFailure("Sixteen bytes are an id.") }
    return id
  }

  // MARK: Notifications

  func connects(_ session: GatewayClientSession) { (self.session, isStarted) = (session, false) }

  func started() { (isStarted, resumable) = (true, session?.id) }

  /// Ends the connection and any promotion.
  func disconnected() {
    for attempt in attempts where attempt.answers == 0 { attempt.isForlorn = true }
    demoted()
    (session, isStarted, isPublishing) = (nil, false, false)
  }

  /// Ends the session permanently.
  func ended() {
    disconnected()
    resumable = nil
  }

  func attempt(as person: Person) -> Attempt {
    let attempt = Attempt(person)
    attempts.append(attempt)
    return attempt
  }

  /// Records the answer to an attempt. A promoted client may get the same answer again.
  func answered(_ attempt: Attempt, isPromoted: Bool) {
    attempt.answers += 1
    guard isPromoted, !attempt.isForlorn else { return }
    if let promotion, promotion.person == attempt.person { return }
    attempt.successes += 1
    promotion = attempt
  }

  func demoted() {
    promotion?.ends += 1
    promotion = nil
    if isReplica { isPublishing = false }
  }
}

/// A link without a receiver. The simulation notifies its clients directly.
final class DeafLink: ClientLink {
  var isEmpty: Bool { true }
  var unacknowledged: Int { 0 }
  var isCongested: Bool { false }
  func queue(_ item: PackedSessionEvents) {}
  func flush() -> FlushOutcome { .sent }
  func acknowledge(_ bytes: UInt64) {}
  func end(_ status: V1.Status?) {}
}
