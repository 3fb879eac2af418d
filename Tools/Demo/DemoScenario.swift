internal import CarillonClient
internal import Foundation
internal import LocalInstallation
internal import MeetingViews
internal import Output
internal import Trials

/// The demo's script: the actions of each client, and the expected notifications of all other
/// clients.
///
/// Ada and Ben are clients of the Swift library in this process; Chloe is a Python client. The demo
/// can cut Ben's connection. Eve is a Python client that receives data messages. Finn joins late
/// and leaves. Greta joins as a browser does, and leaves. Dora is a client process that the demo
/// kills.
///
/// The steps about sound, transcription and Ada's pictures use a separate meeting. In that meeting,
/// Greta also speaks and hears over WebRTC. The steps about many cameras and content shares use
/// another meeting. In this meeting, as many clients send camera video as a meeting allows. One of
/// these clients is a Python client. One further client sends no camera video. The steps about
/// audiences use a primary meeting with two replicas.
struct DemoScenario {
  let stage: DemoToolkit
  let house: DemoServices
  let report: DemoRunner

  /// The longest time for a change to reach all other clients on a busy machine.
  ///
  /// A benchmark measures this time on an idle machine.
  static let soon: Duration = .seconds(15)

  var control: ControlAPIClient { ControlAPIClient(house.rest, signedBy: house.signer) }
  private var relayPath: String { "\(stage.folder.path)/ben.sock" }

  /// Plays all steps. If a step fails and later steps need that step's result, the demo ends.
  func play() async {
    do {
      try await playAll()
    } catch {
      // The report already contains the failed step.
    }
  }

  private func playAll() async throws(CommandFailure) {
    let meeting = try await createMeeting()
    let attendees = try await createAttendees(in: meeting)
    let ada = InProcessClient.listening(attendees[0])
    let ben = InProcessClient.listening(attendees[1])
    let (cast, relay) = try await join([ada, ben, try python(.watch, attendees[2])])
    defer { relay?.close() }
    let whole = cast.beginning
    await report.check(.rosterAlike) { try rosterAlike(cast, whole) }
    await report.check(.muteUnmute) { try await muteAndUnmute(cast) }
    if house.hasOperator {
      await report.check(.operatorMute) { try await operatorMute(cast, in: meeting.id) }
    } else {
      report.skip(.operatorMute, because: "the demo cannot reach an operator's endpoint")
    }
    var guests = DemoExtraAttendees()
    let chat = await messages(cast, from: ada, to: ben, in: meeting, &guests)
    await browser(cast, chat, in: meeting, &guests)
    await clientKilled(cast, in: meeting, &guests)
    if let relay {
      await report.check(.clientCutOff) { try await clientCutOff(cast, relay) }
    } else {
      report.skip(.clientCutOff, because: "the relay needs an ipc endpoint")
    }
    await media()
    await audience()
    if let installation = house.installation {
      await report.check(.presenceKilled) { try await presenceKilled(cast, installation) }
      if let chat {
        await report.check(.messagingKilled) { try await messagingKilled(chat, installation) }
      } else {
        report.skip(.messagingKilled, because: "no client receives data messages")
      }
      await video()
      await report.check(.gatewayKilled) { try await gatewayKilled(cast, installation) }
    } else {
      report.skip(.presenceKilled, because: "the demo did not start the services")
      report.skip(.messagingKilled, because: "the demo did not start the services")
      await video()
      report.skip(.gatewayKilled, because: "the demo did not start the services")
    }
    await report.check(.nothingFalse) { try await nothingFalse(cast, guests, chat) }
    await report.check(.meetingDeleted) { try await meetingDeleted(cast, meeting.id) }
    for client in cast.clients { await client.stop() }
    await chat?.eve.stop()
  }

  // MARK: - Before the meeting

  private func createMeeting() async throws(CommandFailure) -> ControlAPIClient.Created {
    try await report.require(.createMeeting) {
      let meeting = try await control.createMeeting(externalMeetingID: "carillon-demo")
      return (meeting, ["meeting_id": .text(meeting.id)])
    }
  }

  private func createAttendees(
    in meeting: ControlAPIClient.Created
  ) async throws(CommandFailure) -> [MeetingSessionConfiguration] {
    try await report.require(.createAttendees) {
      var detail = OutputRecord()
      var attendees: [MeetingSessionConfiguration] = []
      for name in ["ada", "ben", "chloe"] {
        let attendee = try await createAttendee(name, in: meeting)
        attendees.append(attendee)
        detail[name] = .text(attendee.credentials.attendeeId)
      }
      return (attendees, detail)
    }
  }

  /// Creates an attendee, and returns the configuration with which a session joins as this
  /// attendee.
  ///
  /// - Parameter relay: The path of the socket to connect to; `nil` selects the gateway's endpoint.
  func createAttendee(
    _ name: String, in meeting: ControlAPIClient.Created, by relay: String? = nil
  ) async throws -> MeetingSessionConfiguration {
    let attendee = try await control.createAttendee(in: meeting.id, externalUserID: name)
    // Ben connects to the relay's endpoint, and not to the gateway's endpoint.
    let isRelayed = name == "ben" && house.gatewayPath != nil
    let place = relay ?? (isRelayed ? relayPath : nil)
    let endpoint = place.map { "ipc://\($0)" } ?? house.gateway
    let meetingResponse = try CreateMeetingResponse(json: Data(meeting.json.utf8))
    let attendeeResponse = try CreateAttendeeResponse(json: Data(attendee.json.utf8))
    let named = MeetingSessionConfiguration(
      createMeetingResponse: meetingResponse, createAttendeeResponse: attendeeResponse
    ).urls.gatewayUrl
    // The library also passes the URL of `media` to the rewriter, which must not change this URL.
    return MeetingSessionConfiguration(
      createMeetingResponse: meetingResponse, createAttendeeResponse: attendeeResponse,
      urlRewriter: { $0 == named ? endpoint : $0 })
  }

  private func join(
    _ clients: [any ObservedClient]
  ) async throws(CommandFailure) -> (ObservedClientGroup, ByteRelay?) {
    try await report.require(.join) {
      let relay = try house.gatewayPath.map { try ByteRelay(at: relayPath, to: $0) }
      let cast = ObservedClientGroup(clients: clients)
      for client in cast.clients { try await client.start() }
      let times = try await cast.hear(
        "its session started", since: cast.beginning, within: .seconds(40)
      ) { $0 == .started }
      // Each client waits for all others, so that the next step starts with a full meeting.
      for client in cast.clients {
        _ = try await cast.hear(
          .joined, client, since: cast.beginning, within: .seconds(40) + Self.soon)
      }
      if let relay, relay.connectionCount == 0 {
        throw CommandFailure(code: "REFUSED", message: "Ben did not connect through the relay.")
      }
      return ((cast, relay), ["started": .object(times)])
    }
  }

  /// Returns a Python client that has not started yet.
  func python(
    _ program: SubprocessClient.PythonProgram, _ attendee: MeetingSessionConfiguration
  ) throws(CommandFailure) -> SubprocessClient {
    let credentials = attendee.credentials
    return SubprocessClient.python(
      stage.python, program, meetingID: attendee.meetingId,
      attendee: AttendeeName(
        attendeeID: credentials.attendeeId, externalUserID: credentials.externalUserId),
      tokenFile: try tokenFile(credentials), gateway: house.gateway,
      environment: stage.environment, spawner: stage.spawner)
  }

  /// Returns the arguments with which the Python interpreter runs as an attendee's client.
  func arguments(
    ofPython program: SubprocessClient.PythonProgram, as attendee: MeetingSessionConfiguration
  ) throws(CommandFailure) -> [String] {
    let credentials = attendee.credentials
    return SubprocessClient.pythonArguments(
      program, meetingID: attendee.meetingId,
      attendee: AttendeeName(
        attendeeID: credentials.attendeeId, externalUserID: credentials.externalUserId),
      tokenFile: try tokenFile(credentials), gateway: house.gateway)
  }

  private func tokenFile(
    _ credentials: MeetingSessionCredentials
  ) throws(CommandFailure) -> String {
    let path = "\(stage.folder.path)/\(credentials.externalUserId).token"
    try JoinTokenFile.write(credentials.joinToken, to: path)
    return path
  }

  // MARK: - A client is killed

  private func clientKilled(
    _ cast: ObservedClientGroup, in meeting: ControlAPIClient.Created,
    _ guests: inout DemoExtraAttendees
  ) async {
    let dora = try? await report.require(.clientKilled) {
      let attendee = try await createAttendee("dora", in: meeting)
      let credentials = attendee.credentials
      let dora = SubprocessClient.swift(
        meetingID: attendee.meetingId,
        attendee: AttendeeName(
          attendeeID: credentials.attendeeId, externalUserID: credentials.externalUserId),
        tokenFile: try tokenFile(credentials), gateway: house.gateway,
        environment: stage.environment, spawner: stage.spawner)
      return (dora.attendeeID, try await kill(dora, before: cast))
    }
    if let dora { guests.expect([.joined, .dropped], of: dora) }
  }

  private func kill(_ dora: SubprocessClient, before cast: ObservedClientGroup) async throws
    -> OutputRecord
  {
    let coming = cast.mark
    try await dora.start()
    let joined = try await cast.hear(.joined, dora, since: coming, within: .seconds(40))
    let going = cast.mark
    await dora.kill()
    // The limit is the server's timeout of 5 s, plus the time that a busy machine needs to report
    // the loss.
    let limit: Duration = .seconds(5) + Self.soon
    let dropped = try await cast.hear(.dropped, dora, since: going, within: limit)
    return [
      "joined": .object(joined), "dropped": .object(dropped),
      "limit_ms": JSONValue(limit.milliseconds),
    ]
  }

  // MARK: - The end

  private func meetingDeleted(_ cast: ObservedClientGroup, _ meetingID: String) async throws
    -> OutputRecord
  {
    let mark = cast.mark
    try await control.deleteMeeting(meetingID)
    let told = try await cast.hear("its session ended", since: mark, within: Self.soon) {
      $0.isEnd
    }
    let hungUp = Int(MeetingSessionStatusCode.audioServerHungup.rawValue)
    try cast.requireNothing("an end with another status than \(hungUp)", since: mark) { event in
      if case .ended(let status, _) = event { status != hungUp } else { false }
    }
    return ["session_status": JSONValue(hungUp), "told": .object(told)]
  }
}
