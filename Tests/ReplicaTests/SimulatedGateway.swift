import Bus
import MeetingModel
import OwnerTestSupport
import Wire

@testable import Gateway

/// A simulated gateway that uses the production types for sessions and promotions. The gateway
/// sends the same messages in the same order as `GatewaySessionManager`, `Promoter` and the
/// connectors, but without sockets and tasks.
final class SimulatedGateway {
  /// The gateway's state of one roster stream.
  struct Following {
    /// The position up to which the gateway has processed events; `nil` until a session has joined.
    var position: SimulatedPresence.Position?
    var roster: Roster?
    var isAsking = false

    /// Events that arrived before the first position, or while a request for missed events is open.
    var held: [SimulatedPresence.Event] = []

    /// Processed events, for sessions whose roster is older than these events.
    var recent: [SimulatedPresence.Event] = []
  }

  /// The participants of a meeting, as clients see them.
  struct Roster {
    private(set) var position: SimulatedPresence.Position
    private(set) var people: [ParticipantID]

    init(_ snapshot: (position: SimulatedPresence.Position, people: [ParticipantID])) {
      (position, people) = snapshot
    }

    mutating func take(_ event: SimulatedPresence.Event) {
      guard position.term == event.position.term, position.sequence < event.position.sequence
      else { return }
      position = event.position
      people.removeAll { event.departed.contains($0) }
      people += event.joined
    }
  }

  let name: GatewayName
  unowned let installation: Installation
  var party: Network.Party { .gateway(name) }
  var network: Network { installation.network }

  var run: UInt64 = 1
  var sessions = SessionTable()
  var clients: [SessionNumber: SimulatedClient] = [:]
  var following: [MeetingID: Following] = [:]

  /// The sessions that the gateway must send to a service again.
  var lackTiles: Set<SessionNumber> = []
  var lackMedia: Set<SessionNumber> = []
  private var lackPresence: Set<SessionNumber> = []

  var announcing: Set<Network.Party> = []

  /// The instances of presence that need another announcement.
  var againAnnouncing: Set<Int> = []
  private var takingIn: Set<SessionNumber> = []

  /// The newest join requests to presence, by session.
  private var joins: [SessionNumber: UInt64] = [:]
  private var lastJoin: UInt64 = 0

  // The term and the announcement number that media last reported.
  var mediaTerm: UInt64 = 0
  var mediaAnnouncement: UInt64 = 0

  // The notices to the services.
  var roster = NoticeLines()
  var tiles = NoticeLines()
  var media = NoticeLines()

  /// Ended sessions, each with the time until which media keeps the session.
  var leavingMedia: [(until: ContinuousClock.Instant, id: SessionID)] = []

  /// The rule that the gateway breaks, so that a test can show that the checks notice the fault.
  var fault: Fault?
  var lastNumber: UInt64 = 0

  /// The rules that a simulated gateway may break.
  enum Fault: CaseIterable {
    /// The gateway does not report the demotion to presence after a loss of the client's
    /// connection.
    case keepsSeat
    /// The gateway does not report a demotion to media.
    case keepsVoice
    /// The gateway does not report a demotion to video-tiles.
    case keepsVideo
    /// If presence accepts an attempt that the gateway has abandoned, the gateway does not demote
    /// the session at presence.
    case keepsGivenUp
    /// The gateway does not report the end of a promotion to the client.
    case keepsSilent
  }

  init(_ name: GatewayName, in installation: Installation) {
    (self.name, self.installation) = (name, installation)
  }

  /// Kills and restarts the gateway. The gateway forgets all sessions.
  func restart() {
    run += 1
    let lost = sessions.all
    (sessions, clients, following) = (SessionTable(), [:], [:])
    (lackTiles, lackMedia, lackPresence) = ([], [], [])
    (announcing, againAnnouncing, leavingMedia) = ([], [], [])
    (takingIn, joins, mediaTerm, mediaAnnouncement) = ([], [:], 0, 0)
    (roster, tiles, media) = (NoticeLines(), NoticeLines(), NoticeLines())
    for session in lost { session.opening = nil }
    network.cut(party)
  }

  /// The open sessions, in order.
  var open: [GatewayClientSession] { inOrder(sessions.all) }

  /// Returns sessions in the order of their creation.
  func inOrder(_ sessions: [GatewayClientSession]) -> [GatewayClientSession] {
    sessions.sorted { $0.number.value < $1.number.value }
  }

  // MARK: Opening

  /// Opens or resumes a session of a client.
  func start(_ client: SimulatedClient, publishing: Bool) {
    lastNumber += 1
    let isResume = client.resumable != nil
    let made = try? session(SessionNumber(value: lastNumber), of: client, publishing: publishing)
    guard let session = made else { preconditionFailure("A simulated Start is well formed.") }
    if let older = sessions[session.id] { remove(older) }
    clients[session.number] = client
    sessions.insert(session)
    client.connects(session)
    takeInTiles(session, isResume: isResume) { [unowned self] in
      askPresence(session, isResume: isResume)
    }
  }

  private func session(
    _ number: SessionNumber, of client: SimulatedClient, publishing: Bool
  ) throws -> GatewayClientSession {
    let id = client.drawSession()
    let isReplica = client.isReplica
    let record = V1.GatewaySession(
      meetingID: client.meeting.text, participantID: client.person.participant.text,
      externalUserID: client.person.identity.externalUserID.text, sessionID: id.bytes,
      capabilities: V1.Capabilities(.all),
      primaryMeetingID: isReplica ? Installation.primary.text : "",
      openedAtMs: installation.takeStamp())
    let request = try SessionRequest(
      V1.StartRequest(
        meetingID: record.meetingID, attendeeID: record.participantID, joinToken: "t",
        sessionID: client.resumable?.bytes ?? [],
        video: V1.VideoChoices(published: publishing ? [try SimulatedTiles.video] : [])),
      traceparent: "")
    return GatewayClientSession(
      number, id: id, record: record, meeting: client.meeting,
      opening: OpeningSession(request: request), link: DeafLink(), route: nil,
      requests: TokenBucket(RateLimit(perSecond: 1, burst: 1), now: installation.now),
      flushing: SessionsToFlush(), now: installation.now)
  }

  func takeInTiles(_ session: GatewayClientSession, isResume: Bool, then: @escaping () -> Void) {
    let (tile, name, run) = (session.tileSession, name, run)
    var isDone = false
    takingIn.insert(session.number)
    network.call(party, .tiles) { [installation] reply in
      installation.tiles.join(tile, name, run: run, isResume: isResume, reply)
    } then: { [unowned self] status in
      takingIn.remove(session.number)
      guard !isDone, sessions[session.number] === session else { return }
      isDone = true
      if status?.isTransient == true { lackTiles.insert(session.number) }
      then()
    }
  }

  private func askPresence(_ session: GatewayClientSession, isResume: Bool) {
    let owner = installation.presence(of: session.meeting)
    let (record, name, run) = (session.record, name, run)
    lastJoin += 1
    let join = lastJoin
    joins[session.number] = join
    var position: SimulatedPresence.Position?
    network.call(party, .presence(owner.number)) { reply in
      owner.join(record, name, run: run, isResume: isResume) {
        position = owner.position(of: session.meeting)
        reply($0)
      }
    } then: { [unowned self] status in
      guard joins[session.number] == join, sessions[session.number] === session else { return }
      joins[session.number] = nil
      if let position, status == nil { return joined(session, at: position, isResume: isResume) }
      if status?.isTransient ?? true { return askPresenceLater(session) }
      let client = clients[session.number]
      abandon(session, isResume: isResume)
      if client?.session === session { client?.ended() }
    }
  }

  private func askPresenceLater(_ session: GatewayClientSession) {
    lackPresence.insert(session.number)
  }

  /// Marks an opening session, so that the gateway sends the session to presence again.
  func lacksPresence(_ session: GatewayClientSession) {
    if joins[session.number] != nil || lackPresence.remove(session.number) != nil {
      askPresence(session, isResume: session.opening?.request.resumed != nil)
    }
  }

  /// Continues to open a session that has joined its meeting. The session does not open until the
  /// gateway has a current roster for the client.
  private func joined(
    _ session: GatewayClientSession, at position: SimulatedPresence.Position, isResume: Bool
  ) {
    beginStream(of: session.meeting, at: position)
    guard sessions[session.number] === session else { return }
    if session.isReplica, isResume { demoteInPresence(session, isAnyGateways: true) }
    lastJoin += 1
    let join = lastJoin
    joins[session.number] = join
    askRoster(of: session.sourceMeeting, reaching: session.isReplica ? nil : position) {
      [unowned self] isThere in
      guard joins[session.number] == join, sessions[session.number] === session else { return }
      joins[session.number] = nil
      guard isThere else { return askPresenceLater(session) }
      begin(session)
    }
  }

  private func begin(_ session: GatewayClientSession) {
    if let older = sessions[session.id] { remove(older) }
    session.opening = nil
    sessions.open(session)
    if clients[session.number]?.session === session { clients[session.number]?.started() }
    takeInMedia(session)
  }

  func takeInMedia(_ session: GatewayClientSession) {
    let request = admission(of: session)
    takingIn.insert(session.number)
    network.call(party, .media) { [installation] reply in
      installation.media.admit(request, reply)
    } then: { [unowned self] status in
      takingIn.remove(session.number)
      if status?.isTransient == true, sessions[session.number] === session {
        lackMedia.insert(session.number)
      }
    }
  }

  private func admission(of session: GatewayClientSession) -> V1.AdmitRequest {
    V1.AdmitRequest(
      meetingID: session.sourceMeeting.text, sessionID: session.id.bytes,
      attendee: session.record.attendee,
      rights: V1.SendRights(capabilities: session.actor.capabilities),
      ticket: session.id.bytes, replicaMeetingID: session.isReplica ? session.meeting.text : "",
      promotedAs: session.promotion.record?.attendee, gateway: name.text, gatewayRun: run,
      openedAtMs: session.record.openedAtMs)
  }

  /// Sends failed requests again.
  func retry() {
    for lines in [roster, tiles, media] { lines.retry() }
    for session in inOrder(sessions.opening) where lackPresence.contains(session.number) {
      lacksPresence(session)
    }
    for session in open where lackMedia.remove(session.number) != nil { takeInMedia(session) }
    for session in open where lackTiles.remove(session.number) != nil {
      takeInTiles(session, isResume: true) {}
    }
    let due = leavingMedia.filter { $0.until <= installation.now }
    leavingMedia.removeAll { $0.until <= installation.now }
    for (_, id) in due where !sessions.isPresent(id) { releaseInMedia(id) }
  }

  // MARK: Endings

  /// Returns whether the gateway still has the session that the client uses.
  func has(_ client: SimulatedClient) -> Bool {
    client.session.map { sessions[$0.number] === $0 } ?? false
  }

  /// Returns whether a request to video-tiles for a session is open.
  func isAskingTiles(_ session: GatewayClientSession) -> Bool { takingIn.contains(session.number) }

  /// Detaches the sessions whose clients have disconnected.
  func noticeLosses() {
    for number in clients.keys.sorted(by: { $0.value < $1.value }) {
      guard let session = sessions[number], clients[number]?.session !== session else { continue }
      detach(session)
    }
  }

  /// Ends a session at the client's request.
  func leave(_ session: GatewayClientSession) {
    guard remove(session) else { return }
    let (id, owner) = (session.id, installation.presence(of: session.meeting))
    roster.add(.session(id, in: session.meeting)) { [unowned self] then in
      tell(.presence(owner.number), { owner.leave(id, in: session.meeting) }, then)
    }
    releaseElsewhere(session)
  }

  /// Detaches a session after the loss of its connection. The client may resume the session.
  func detach(_ session: GatewayClientSession) {
    if session.opening != nil {
      return abandon(session, isResume: session.opening?.request.resumed != nil)
    }
    guard remove(session) else { return }
    detachEverywhere(session)
  }

  /// Ends a session that presence has ended, or whose meeting has ended.
  func end(_ session: GatewayClientSession, withMeeting: Bool) {
    let client = clients[session.number]
    if let opening = session.opening {
      abandon(session, isResume: opening.request.resumed != nil)
    } else {
      guard remove(session) else { return }
    }
    if client?.session === session { client?.ended() }
    if !withMeeting || session.isReplica { releaseElsewhere(session) }
  }

  private func abandon(_ session: GatewayClientSession, isResume: Bool) {
    guard remove(session) else { return }
    detachInPresence(session)
    guard isResume else { return releaseInTiles(session) }
    detachInTiles(session)
    leavingMedia.append((installation.now + .seconds(5), session.id))
  }

  @discardableResult
  private func remove(_ session: GatewayClientSession) -> Bool {
    guard sessions.remove(session) else { return false }
    leavePrimary(session)
    clients[session.number] = nil
    return true
  }

  private func detachEverywhere(_ session: GatewayClientSession) {
    detachInPresence(session)
    detachInTiles(session)
    leavingMedia.append((installation.now + .seconds(5), session.id))
  }

  private func detachInPresence(_ session: GatewayClientSession) {
    let (id, owner, name) = (session.id, installation.presence(of: session.meeting), name)
    roster.add(
      .session(id, in: session.meeting), while: { [unowned self] in !sessions.isPresent(id) }
    ) { [unowned self] then in
      tell(
        .presence(owner.number), { owner.detach(id, in: session.meeting, by: name) }, then)
    }
  }

  private func detachInTiles(_ session: GatewayClientSession) {
    let (id, name, meeting) = (session.id, name, session.sourceMeeting)
    tiles.add(
      .session(id, in: meeting), while: { [unowned self] in !sessions.isPresent(id) }
    ) { [unowned self] then in
      tell(.tiles, { [installation] in installation.tiles.detach(id, in: meeting, by: name) }, then)
    }
  }

  private func releaseElsewhere(_ session: GatewayClientSession) {
    releaseInTiles(session)
    releaseInMedia(session.id)
  }

  private func releaseInTiles(_ session: GatewayClientSession) {
    let (id, meeting) = (session.id, session.sourceMeeting)
    tiles.add(.session(id, in: meeting)) { [unowned self] then in
      network.call(party, .tiles) { [installation] reply in
        installation.tiles.leave(id, in: meeting, reply)
      } then: {
        then($0)
      }
    }
  }

  private func releaseInMedia(_ id: SessionID) {
    let name = name
    media.add(
      .session(id, in: Installation.primary),
      while: { [unowned self] in !sessions.isPresent(id) }
    ) { [unowned self] then in
      tell(.media, { [installation] in installation.media.release(id, by: name) }, then)
    }
  }

  /// Sends an owner a request that the owner never refuses.
  func tell(
    _ owner: Network.Party, _ work: @escaping () -> Void, _ then: @escaping (Status?) -> Void
  ) {
    network.call(party, owner) { reply in
      work()
      reply(nil)
    } then: {
      then($0)
    }
  }
}
