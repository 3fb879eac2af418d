internal import CarillonClient
internal import Foundation
internal import LocalInstallation
internal import MeetingViews
internal import Output
internal import Speaking
internal import Trials

/// The steps about a stage and its audience: a primary meeting and two replicas.
extension DemoScenario {
  /// Plays the steps.
  func audience() async {
    let cast = try? await report.require(.audienceJoins) { try await openAudience() }
    guard let cast else {
      for step in Self.audienceSteps { report.skip(step, because: "the audience did not join") }
      return
    }
    await report.check(.audienceHears) { try await audienceHears(cast) }
    await report.check(.attendeePromoted) { try await attendeePromoted(cast) }
    await report.check(.attendeeDemoted) { try await attendeeDemoted(cast) }
    if let relay = cast.relay {
      await report.check(.promotionCutOff) { try await promotionCutOff(cast, relay) }
    } else {
      report.skip(.promotionCutOff, because: "the relay needs an ipc endpoint")
    }
    await report.check(.promotionRefused) { try await promotionRefused(cast) }
    cast.end()
    try? await control.deleteMeeting(cast.primary.id)
  }

  private static let audienceSteps: [DemoStepResult.Step] = [
    .audienceHears, .attendeePromoted, .attendeeDemoted, .promotionCutOff, .promotionRefused,
  ]

  /// The session statuses (`MeetingSessionStatusCode`) that the client library reports to
  /// observers.
  private enum FacadeStatus {
    static let lostConnection = Int(MeetingSessionStatusCode.audioInternalServerError.rawValue)
    static let rejected = Int(MeetingSessionStatusCode.audioAuthenticationRejected.rawValue)
    static let viewOnly = Int(MeetingSessionStatusCode.videoAtCapacityViewOnly.rawValue)
  }

  /// The samples of a tone of half a second.
  private static let tone = (0..<24_000).map { Int16(8_000 * sin(Double($0) / 20)) }

  /// The minimum loudness of an audible tone.
  private static let audible: Float = 0.01

  /// The maximum loudness of silence.
  private static let silent: Float = 0.001

  // MARK: - Preparations

  private func openAudience() async throws -> (DemoReplicaMeetings, OutputRecord) {
    let primary = try await control.createMeeting(externalMeetingID: "carillon-demo-stage")
    var (players, watchers): ([DemoMediaClient], [DemoMediaClient]) = ([], [])
    for name in ["ada", "bea", "cleo"] {
      players.append(DemoMediaClient(try await createAttendee(name, in: primary)))
    }
    let relayPath = "\(stage.folder.path)/rob.sock"
    let relay = try house.gatewayPath.map { try ByteRelay(at: relayPath, to: $0) }
    for (number, names) in [["rob", "rita"], ["sam", "sue"]].enumerated() {
      let replica = try await control.createMeeting(
        externalMeetingID: "carillon-demo-audience-\(number)", replicaOf: primary.id)
      for name in names {
        let path = relay != nil && name == "rob" ? relayPath : nil
        watchers.append(DemoMediaClient(try await createAttendee(name, in: replica, by: path)))
      }
    }
    let paula = try await createAttendee("paula", in: primary).credentials
    let cast = DemoReplicaMeetings(
      primary, players: players, watchers: watchers, relay: relay, paula: paula)
    for watcher in cast.everybody { try watcher.start() }
    for watcher in cast.everybody {
      try await watcher.hear("its session started", within: .seconds(40)) { $0 == .joined }
    }
    try await cast.requireStage(withPaula: false, within: Self.soon)
    for watcher in cast.watchers {
      try await watcher.hear("it may only watch", within: Self.soon) {
        $0 == .video(status: FacadeStatus.viewOnly)
      }
    }
    return (
      cast,
      ["on_stage": JSONValue(players.count), "in_audience": JSONValue(cast.watchers.count)]
    )
  }

  // MARK: - Watching

  private func audienceHears(_ cast: DemoReplicaMeetings) async throws -> OutputRecord {
    let ada = cast.players[0]
    try await speak(ada, until: cast.watchers + [cast.players[1]])
    try await requireUnheard(cast.rob, by: cast.others)
    try say("welcome", ada)
    try say("psst", cast.rob)
    try say("well then", ada)
    let heard = cast.everybody.filter { $0 !== ada }
    for watcher in heard {
      try await watcher.hear("Ada said something", within: Self.soon) {
        $0 == .said("well then", by: ada.attendeeID)
      }
    }
    let whispers = cast.everybody.reduce(0) { count, watcher in
      count
        + watcher.journal.entries(from: 0).count {
          if case .said("psst", _) = $0.event { true } else { false }
        }
    }
    guard whispers == 0 else {
      throw CommandFailure(
        code: "FALSE_EVENT", message: "The primary received a message of the audience.")
    }
    return ["heard_by": JSONValue(heard.count), "whispers_heard": JSONValue(whispers)]
  }

  // MARK: - Promotion

  private func attendeePromoted(_ cast: DemoReplicaMeetings) async throws -> OutputRecord {
    let promoted = try await promote(cast.rob, as: cast.paula)
    try await cast.requireStage(withPaula: true, within: Self.soon)
    try await speak(cast.rob, until: [cast.players[0], cast.watchers[3]])
    try say("may I ask something?", cast.rob)
    for watcher in cast.others {
      try await watcher.hear("Paula said something", within: Self.soon) {
        $0 == .said("may I ask something?", by: cast.paula.attendeeId)
      }
    }
    let shown = try await show(cast)
    return [
      "promoted_ms": JSONValue(promoted.milliseconds), "camera_tile": JSONValue(shown.camera),
      "content_tile": JSONValue(shown.content),
    ]
  }

  /// Promotes a watcher to the primary meeting with the given credentials.
  ///
  /// - Returns: The time that the promotion took.
  func promote(
    _ watcher: DemoMediaClient, as credentials: MeetingSessionCredentials
  ) async throws -> Duration {
    let (mark, start) = (watcher.journal.count, ContinuousClock.now)
    watcher.session.audioVideo.promoteToPrimaryMeeting(credentials: credentials, observer: watcher)
    let answer = try await watcher.hear("it is promoted", since: mark, within: Self.soon) {
      if case .promoted = $0 { true } else { false }
    }
    guard answer.event == .promoted(status: 0) else {
      throw CommandFailure(code: "REFUSED", message: "\(watcher.name): \(answer.event)")
    }
    return answer.time - start
  }

  /// Sends the videos of Rob's camera and of his screen. Checks that the stage and the other
  /// replica see both videos as videos of Paula.
  private func show(_ cast: DemoReplicaMeetings) async throws -> (camera: Int, content: Int) {
    let rob = cast.rob
    let (camera, screen) = (TestPatternSource(), TestPatternSource(videoContentHint: .text))
    camera.start()
    screen.start()
    defer {
      camera.stop()
      screen.stop()
    }
    let seers = [cast.players[0], cast.watchers[2]]
    for seer in seers { seer.session.audioVideo.startRemoteVideo() }
    rob.session.audioVideo.startLocalVideo(source: camera)
    let paula = cast.paula.attendeeId
    var tiles: [Int] = []
    for seer in seers {
      tiles.append(try await tile(of: paula, isContent: false, seenBy: seer))
    }
    let share = ContentShareSource()
    share.videoSource = screen
    rob.session.audioVideo.startContentShare(source: share)
    try await rob.hear("its share has started", within: .seconds(20)) { $0 == .shareStarted }
    for seer in seers {
      tiles.append(try await tile(of: "\(paula)#content", isContent: true, seenBy: seer))
    }
    return (tiles[0], tiles[2])
  }

  private func tile(
    of attendee: String, isContent: Bool, seenBy watcher: DemoMediaClient
  ) async throws -> Int {
    let added = try await watcher.hear("\(attendee)'s tile was added", within: .seconds(20)) {
      if case .tileAdded(_, attendee, isContent, false) = $0 { true } else { false }
    }
    guard case .tileAdded(let tile, _, _, _) = added.event else { return 0 }
    try await watcher.hear("a picture of the tile arrived", within: .seconds(20)) {
      if case .frame(tile, .some, _) = $0 { true } else { false }
    }
    return tile
  }

  // MARK: - The end of a promotion

  private func attendeeDemoted(_ cast: DemoReplicaMeetings) async throws -> OutputRecord {
    let (rob, mark) = (cast.rob, cast.rob.journal.count)
    rob.session.audioVideo.demoteFromPrimaryMeeting()
    try await rob.hear("it is demoted", since: mark, within: Self.soon) {
      $0 == .demoted(status: 0)
    }
    try await cast.requireStage(withPaula: false, within: Self.soon)
    try await requireUnheard(rob, by: cast.others)
    return ["demotions": JSONValue(rob.count(of: .demoted(status: 0)))]
  }

  /// Cuts Rob's connection while he is promoted. Checks that the server demotes him exactly once,
  /// and that he learns this after he has reconnected.
  private func promotionCutOff(_ cast: DemoReplicaMeetings, _ relay: ByteRelay) async throws
    -> OutputRecord
  {
    let rob = cast.rob
    _ = try await promote(rob, as: cast.paula)
    try await cast.requireStage(withPaula: true, within: Self.soon)
    let mark = rob.journal.count
    relay.set(.cut)
    try await Task.sleep(for: .milliseconds(1_500))
    relay.set(.open)
    try await rob.hear("its promotion has ended", since: mark, within: .seconds(40)) {
      $0 == .demoted(status: FacadeStatus.lostConnection)
    }
    try await rob.hear("it may only watch", since: mark, within: Self.soon) {
      $0 == .video(status: FacadeStatus.viewOnly)
    }
    try await cast.requireStage(withPaula: false, within: Self.soon)
    let count = rob.count(of: .demoted(status: FacadeStatus.lostConnection), since: mark)
    guard count == 1 else {
      throw CommandFailure(code: "FALSE_EVENT", message: "Rob was demoted \(count) times.")
    }
    return ["demotions": JSONValue(count)]
  }

  /// Checks that the server refuses credentials with a wrong token, and that valid credentials
  /// promote only one attendee at a time.
  private func promotionRefused(_ cast: DemoReplicaMeetings) async throws -> OutputRecord {
    let (rita, sam) = (cast.rita, cast.watchers[2])
    let wrong = MeetingSessionCredentials(
      attendeeId: cast.paula.attendeeId, externalUserId: cast.paula.externalUserId,
      joinToken: "guessed")
    let mark = rita.journal.count
    rita.session.audioVideo.promoteToPrimaryMeeting(credentials: wrong, observer: rita)
    try await rita.hear("the promotion is refused", since: mark, within: Self.soon) {
      $0 == .promoted(status: FacadeStatus.rejected)
    }
    _ = try await promote(rita, as: cast.paula)
    let taking = rita.journal.count
    _ = try await promote(sam, as: cast.paula)
    try await rita.hear("another attendee is promoted as Paula", since: taking, within: Self.soon) {
      $0 == .demoted(status: FacadeStatus.lostConnection)
    }
    try await cast.requireStage(withPaula: true, within: Self.soon)
    sam.session.audioVideo.demoteFromPrimaryMeeting()
    try await cast.requireStage(withPaula: false, within: Self.soon)
    return ["refused_with": JSONValue(FacadeStatus.rejected)]
  }

  // MARK: - Messages and speech

  private func say(_ text: String, _ watcher: DemoMediaClient) throws {
    try watcher.session.audioVideo.realtimeSendDataMessage(
      topic: DemoTopic.audience.rawValue, data: text, lifetimeMs: 0)
  }

  /// Plays a tone from one client until all the listeners hear it.
  private func speak(_ watcher: DemoMediaClient, until listeners: [DemoMediaClient]) async throws {
    let marks = listeners.map(\.ear.mark)
    let tone = Self.tone
    let speaking = Task { while !Task.isCancelled { await watcher.mouth.say(tone) } }
    defer { speaking.cancel() }
    for (listener, mark) in zip(listeners, marks) {
      try await listener.wait("to hear \(watcher.name)", within: .seconds(40)) {
        $0.ear.sound(since: mark).loudness > Self.audible
      }
    }
    speaking.cancel()
    await speaking.value
    try await Task.sleep(for: .seconds(1))  // Lets the listeners play the rest of the tone.
  }

  private func requireUnheard(_ watcher: DemoMediaClient, by listeners: [DemoMediaClient])
    async throws
  {
    let marks = listeners.map(\.ear.mark)
    await watcher.mouth.say(Self.tone)
    try await Task.sleep(for: .milliseconds(500))
    for (listener, mark) in zip(listeners, marks) {
      let loudness = listener.ear.sound(since: mark).loudness
      guard loudness < Self.silent else {
        throw CommandFailure(
          code: "HEARD", message: "\(listener.name) hears \(watcher.name), who is in the audience.")
      }
    }
  }
}
