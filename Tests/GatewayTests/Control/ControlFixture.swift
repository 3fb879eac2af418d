import Foundation
import Logging
import MeetingModel
import ServiceHost
import Storage
import Synchronization
import Wire

@testable import Gateway

/// A control plane with a new store, a clock that the test moves, and recorded effects.
struct ControlFixture: Sendable {
  let store: MeetingStore
  let effects: RecordedEffects
  let time: ManualTime
  let control: ControlPlane
  let keys: AccessKeyFile
  let events: ClientEventsStore
  let intake: ClientEventIntake

  /// A REST handler that accepts unsigned requests.
  var face: RESTHandler { face(UnsignedAuthenticator()) }

  func face(_ authenticator: any RequestAuthenticator) -> RESTHandler {
    RESTHandler(
      control: control, authenticator: authenticator, events: intake,
      metrics: RESTMetrics(MetricsRegistry()))
  }

  /// Creates a meeting with the defaults.
  func makeMeeting(_ token: String = "token-1", primary: MeetingID? = nil) async throws -> MeetingID
  {
    let request = MeetingRequest(
      token: try ClientRequestToken(token), fingerprint: RequestFingerprint(of: Array(token.utf8)),
      externalID: try ExternalMeetingID("standup"), region: try MediaRegion("us-east-1"),
      primaryID: primary, placementBase: "http://gateway.test:8080")
    return try await control.createMeeting(request).meeting.id
  }

  /// Returns the live meetings.
  func meetings() async throws -> [MeetingID] {
    try await store.listMeetings(limit: 100).elements.map(\.id)
  }

  func makeAttendee(_ name: String, in meeting: MeetingID) async throws -> AttendeeID {
    let request = AttendeeRequest(externalUserID: try ExternalUserID(name))
    return try await control.createAttendee(request, in: meeting).attendee.id
  }
}

func withControl(
  limits: InstallationLimits = InstallationLimits(), publicURL: String? = nil,
  _ body: (ControlFixture) async throws -> Void
) async throws {
  let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
  defer { try? FileManager.default.removeItem(at: directory) }
  let installation = try InstallationKey(file: directory.appending(path: "token.key").path)
  let store = try MeetingStore(
    path: directory.appending(path: "meetings.sqlite").path, tokens: JoinTokenIssuer(installation),
    limits: limits)
  let keys = AccessKeyFile(
    path: directory.appending(path: "access-keys.json").path, installation: installation)
  let effects = RecordedEffects()
  let time = ManualTime()
  guard let local = PublicURL("http://127.0.0.1:8080") else { return }
  let settings = try ControlSettings(
    gatewayURL: "ipc:///run/carillon/gateway-a.client.sock", localURL: local,
    publicURL: publicURL.flatMap { PublicURL($0) }, additionalRegions: ["attic"],
    now: { time.now })
  let control = ControlPlane(
    store: store, effects: effects, settings: settings,
    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  let events = try ClientEventsStore(
    path: directory.appending(path: "client-events.sqlite").path, capacity: 1_000)
  try await body(
    ControlFixture(
      store: store, effects: effects, time: time, control: control, keys: keys, events: events,
      intake: ClientEventIntake(into: events, of: control, keepingFor: .seconds(86_400))))
}

/// A clock of milliseconds that only the test moves.
final class ManualTime: Sendable {
  private let milliseconds = Mutex<Int64>(1_000_000)

  var now: Int64 { milliseconds.withLock { $0 } }

  func advance(by duration: Duration) {
    milliseconds.withLock { $0 += Int64(duration / .milliseconds(1)) }
  }
}

/// The effects of the control plane, in order.
final class RecordedEffects: ControlEffects {
  enum Effect: Hashable {
    case meetingEnded(MeetingID, Status)
    case attendeeEnded(AttendeeID)
    case deletedAttendeesEnded
    case demoted(AttendeeID)
    case muted(Bool, AttendeeID)
    case mutedByHost(AttendeeID)
    case noticed(HostRequestMessage)
    case barred(Bool, AttendeeID)
    case locked(Bool, MeetingID)
    case erased(ExternalUserID)
    case capabilities(AttendeeCapabilities, AttendeeID)
    case transcription(StoredTranscription)
    case spokenLanguage(LanguageCode?, AttendeeID)
  }

  struct State {
    var told: [Effect] = []
    var recorded: [MeetingID] = []
    var failure: Status?
    /// The error with which `presence` lets nobody in.
    var letInFailure: Status?
    var occupied: [MeetingID] = []
    var rosters: [MeetingID: [AttendeeID]] = [:]
    var decisions: [MeetingID: V1.ForwardingUpdate] = [:]
    var mutes: Set<AttendeeID> = []
    var operatorMutes: Set<AttendeeID> = []
    var messages: [MeetingID: V1.MessageReplay] = [:]
    var transcription = V1.TranscriptionState()
    var isReachable = true

    /// The meetings whose hosts have asked for knocks.
    var hosted: Set<MeetingID> = []

    /// The requests about knocks of waiting people, in order.
    var knocks: [V1.KnockRequest] = []
    var knockAnswers: [KnockID: Bool] = [:]
    var takenKnocks: [KnockID: GUID] = [:]
  }

  let state = Mutex(State())

  var told: [Effect] { state.withLock { $0.told } }

  func endMeeting(_ id: MeetingID, status: Status) async throws(Status) {
    try tell(.meetingEnded(id, status))
  }

  func endAttendee(_ id: AttendeeID, in meeting: MeetingID) async throws(Status) {
    try tell(.attendeeEnded(id))
  }

  func demote(_ attendee: AttendeeID, in meeting: MeetingID) async throws(Status) -> Bool {
    try tell(.demoted(attendee))
    return true
  }

  func setMutedByOperator(
    _ isMuted: Bool, attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    try tell(.muted(isMuted, attendee))
  }

  func mute(_ attendee: AttendeeID, in meeting: MeetingID) async throws(Status) {
    try tell(.mutedByHost(attendee))
  }

  func send(_ notice: HostRequestMessage, in meeting: MeetingID) async throws(Status) {
    try tell(.noticed(notice))
  }

  func setBarred(
    _ isBarred: Bool, attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    try tell(.barred(isBarred, attendee))
    if !isBarred, let failure = state.withLock({ $0.letInFailure }) { throw failure }
  }

  func setLocked(_ isLocked: Bool, _ meeting: MeetingID) async throws(Status) {
    try tell(.locked(isLocked, meeting))
  }

  func eraseMessages(of user: ExternalUserID) async throws(Status) -> UInt64 {
    try tell(.erased(user))
    return 3
  }

  func recordRosters(of meetings: [MeetingID]) async {
    state.withLock { $0.recorded += meetings }
  }

  func limits() async -> V1.Limits { V1.Limits(maxAttendees: 250) }

  func instances() async throws(Status) -> [V1.ServiceInstance] {
    [V1.ServiceInstance(service: "presence", instance: "presence-a", term: 1, isLive: true)]
  }

  func setCapabilities(
    _ capabilities: AttendeeCapabilities, attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    try tell(.capabilities(capabilities, attendee))
  }

  func messages(
    of meeting: MeetingID, after sequence: UInt64
  ) async throws(Status) -> V1.MessageReplay {
    try state.withLock { state throws(Status) in
      if let failure = state.failure { throw failure }
      return state.messages[meeting] ?? V1.MessageReplay()
    }
  }

  func decision(on board: MeetingID) async throws(Status) -> V1.ForwardingUpdate {
    let state = state.withLock { $0 }
    if let failure = state.failure { throw failure }
    guard let decision = state.decisions[board] else {
      throw Status(.notFound, "Nobody was ever in it.")
    }
    return decision
  }

  func roster(of meeting: MeetingID) async throws(Status) -> V1.RosterSnapshot {
    let state = state.withLock { $0 }
    if let failure = state.failure { throw failure }
    guard let ids = state.rosters[meeting] else {
      throw Status(.notFound, "Nobody was ever in it.")
    }
    let entries = ids.flatMap { id in
      [id.text, id.text + "#content"].map { participant in
        V1.RosterEntry(
          attendee: V1.AttendeeInfo(attendeeID: participant, externalUserID: "somebody"),
          isMuted: !state.mutes.union(state.operatorMutes).isDisjoint(with: [id]),
          isMutedByOperator: state.operatorMutes.contains(id))
      }
    }
    return V1.RosterSnapshot(meetingID: meeting.text, epoch: 1, sequence: 7, entries: entries)
  }

  func knock(
    _ request: V1.KnockRequest, at meeting: MeetingID
  ) async throws(Status) -> KnockState {
    try state.withLock { state throws(Status) in
      if let failure = state.failure { throw failure }
      guard state.hosted.contains(meeting) else {
        throw Status(.failedPrecondition, "No host is present.")
      }
      state.knocks.append(request)
      guard let id = try? KnockID(request.knockID), state.takenKnocks[id] == nil else {
        throw Status(.notFound, "Nobody waits.")
      }
      return state.knockAnswers[id].map { $0 ? .admitted : .denied } ?? .waiting
    }
  }

  func take(_ knock: KnockID, as entry: GUID, at meeting: MeetingID) async throws(Status) {
    try state.withLock { state throws(Status) in
      guard [nil, entry].contains(state.takenKnocks[knock]) else {
        throw Status(.notFound, "Nobody waits.")
      }
      state.takenKnocks[knock] = entry
    }
  }

  func putBack(_ knock: KnockID, as entry: GUID, at meeting: MeetingID) async throws(Status) {
    try state.withLock { state throws(Status) in
      if let failure = state.failure { throw failure }
      guard state.takenKnocks[knock] == entry else { return }
      state.takenKnocks[knock] = nil
      state.knockAnswers[knock] = nil
    }
  }

  func knocks(at meeting: MeetingID) async throws(Status) -> [V1.WaitingKnock] {
    try state.withLock { state throws(Status) in
      if let failure = state.failure { throw failure }
      state.hosted.insert(meeting)
      var ids: Set<String> = []
      return state.knocks.filter { knock in
        guard knock.meetingID == meeting.text, ids.insert(knock.knockID).inserted else {
          return false
        }
        return (try? KnockID(knock.knockID)).map { state.knockAnswers[$0] == nil } ?? false
      }.map { V1.WaitingKnock(knockID: $0.knockID, displayName: $0.displayName) }
    }
  }

  func answer(
    _ knock: KnockID, at meeting: MeetingID, admits: Bool
  ) async throws(Status) {
    try state.withLock { state throws(Status) in
      guard state.knocks.contains(where: { $0.knockID == knock.text }) else {
        throw Status(.notFound, "Nobody waits.")
      }
      state.knockAnswers[knock] = admits
    }
  }

  func hasHost(in meeting: MeetingID) async throws(Status) -> Bool {
    try state.withLock { state throws(Status) in
      if let failure = state.failure { throw failure }
      return state.hosted.contains(meeting)
    }
  }

  func transcribe(_ record: StoredTranscription) async throws(Status) -> Bool {
    try tell(.transcription(record))
    return record.revision > 1
  }

  func setSpokenLanguage(
    _ language: LanguageCode?, of attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    try tell(.spokenLanguage(language, attendee))
  }

  func transcription(of meeting: MeetingID) async throws(Status) -> V1.TranscriptionState {
    state.withLock { state in
      var told = state.transcription
      told.meetingID = meeting.text
      return told
    }
  }

  func occupiedMeetings() async -> [MeetingID] { state.withLock { $0.occupied } }

  func endDeletedAttendees() async throws(Status) { try tell(.deletedAttendeesEnded) }

  func areServicesReachable() async -> Bool { state.withLock { $0.isReachable } }

  private func tell(_ effect: Effect) throws(Status) {
    let failure = state.withLock { state -> Status? in
      state.told.append(effect)
      return state.failure
    }
    if let failure { throw failure }
  }
}
