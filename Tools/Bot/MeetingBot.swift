internal import Bus
internal import CarillonClient
internal import Foundation
package import LocalInstallation
internal import MeetingViews
internal import Output
internal import Speaking
internal import Wire

/// Somebody to meet: a bot that speaks and chats in a meeting of a name, which it makes where there
/// is none, and comes back to when that ends or the services are started again.
package struct MeetingBot: Sendable {
  private let meeting: String
  private let places: [String]
  private let spawner: ProcessSpawner
  private let environment: [String: String]
  private let log: @Sendable (String) -> Void

  /// What the application calls it, and what the others read.
  package static let name = "Carillon bot"

  private static let topic = "chat"
  private static let voice = "slt"
  private static let language = "en-US"

  /// How long what it writes is kept for those who come later.
  private static let lifetimeMs: Int32 = 60_000

  /// Between two meetings, or two tries to come to one.
  private static let pause = Duration.seconds(1)

  /// How often it looks whether its meeting is still the one of its name.
  private static let checkInterval = Duration.seconds(15)

  /// - Parameters:
  ///   - meeting: The application's own id of the meeting.
  ///   - runtimeDirectory: Where the services are.
  ///   - environment: Of the processes that it starts.
  ///   - log: Called with what goes wrong, and what it has done about it.
  package init(
    in meeting: String, of runtimeDirectory: String, by spawner: ProcessSpawner,
    environment: [String: String], log: @escaping @Sendable (String) -> Void
  ) {
    (self.meeting, places) = (meeting, [runtimeDirectory])
    (self.spawner, self.environment, self.log) = (spawner, environment, log)
  }

  /// Makes the meeting if there is none, so that whoever comes at once finds the same as the bot.
  package func prepare() async {
    do {
      _ = try await OperatorConnection.with(gatewayIn: places) { try await meetingID(by: $0) }
    } catch {
      log("There is no meeting for the bot yet: \(error)")
    }
  }

  /// Is in the meeting until cancelled.
  package func run() async {
    let folder = NSTemporaryDirectory() + "carillon-bot-\(UUID().uuidString.prefix(8))"
    let files = FileManager.default
    try? files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? files.removeItem(atPath: folder) }
    let speech = Speech(in: folder, by: spawner, environment: environment)
    var lastProblem: String?
    while !Task.isCancelled {
      do {
        try await attend(speech)
        lastProblem = nil
      } catch {
        let problem = "\(error)"
        if !Task.isCancelled, problem != lastProblem { log("The bot is out: \(problem)") }
        lastProblem = problem
      }
      try? await Task.sleep(for: Self.pause)
    }
  }

  /// Goes to the meeting of the name, and is there until that ends.
  private func attend(_ speech: Speech) async throws {
    let place = try await OperatorConnection.with(gatewayIn: places) { connection in
      try await self.place(by: connection)
    }
    let mouth = ScriptedMicrophone()
    // Whoever floods the meeting does not fill this process: the bot passes over what it cannot
    // take.
    let (news, arrivals) = AsyncStream.makeStream(
      of: ClientEvent.self, bufferingPolicy: .bufferingNewest(1_024))
    let client = MeetingClient(
      DefaultMeetingSession(
        configuration: place, logger: ConsoleLogger(name: Self.name, level: .OFF),
        audio: MediaAudio(source: mouth)),
      topics: [Self.topic]
    ) { event in
      arrivals.yield(event)
      if event.isEnd { arrivals.finish() }
    }
    let visit = BotVisit(ownID: place.credentials.attendeeId)
    let (sentences, saying) = AsyncStream.makeStream(
      of: String.self, bufferingPolicy: .bufferingOldest(4))
    try client.start(AudioVideoConfiguration())
    await withTaskGroup { tasks in
      tasks.addTask {
        for await sentence in sentences { await mouth.say(await Self.sound(sentence, speech)) }
      }
      tasks.addTask {
        while (try? await Task.sleep(for: .seconds(1))) != nil {
          await self.carryOut(visit.waits(), client, saying)
        }
      }
      tasks.addTask { await self.keepPlace(place.meetingId, client) }
      for await event in news { carryOut(await visit.hears(event), client, saying) }
      tasks.cancelAll()
      saying.finish()
      client.stop()
      mouth.close()
    }
  }

  private func carryOut(
    _ deeds: [BotScript.Deed], _ client: MeetingClient,
    _ saying: AsyncStream<String>.Continuation
  ) {
    for deed in deeds {
      switch deed {
      case .say(let sentence): saying.yield(sentence)
      case .write(let line):
        // What the meeting does not take now is not worth repeating.
        try? client.send(line, on: Self.topic, lifetimeMs: Self.lifetimeMs) { _ in }
      }
    }
  }

  private static func sound(_ sentence: String, _ speech: Speech) async -> [Int16] {
    (try? await speech.say(sentence, voice: voice)) ?? Bells.ring()
  }

  // MARK: The meeting

  /// An attendee of the meeting, with what a session needs.
  private func place(by connection: OperatorConnection) async throws -> MeetingSessionConfiguration
  {
    let id = try await meetingID(by: connection)
    // The same attendee each time: there is one of the name in a meeting.
    let attendee = try await connection.call(
      V1.OperatorMethods.createAttendee,
      V1.CreateAttendeeRequest(meetingID: id, externalUserID: Self.name))
    return MeetingSessionConfiguration(
      meetingID: id,
      attendee: AttendeeName(
        attendeeID: attendee.attendeeID, externalUserID: attendee.externalUserID),
      joinToken: attendee.joinToken,
      gateway: try RunningGateway.find(in: places).clientEndpoint)
  }

  /// The meeting of the name, which is made if there is none.
  private func meetingID(by connection: OperatorConnection) async throws -> String {
    if let known = try await newest(by: connection) { return known }
    return try await connection.call(
      V1.OperatorMethods.createMeeting, V1.CreateMeetingRequest(externalMeetingID: meeting)
    ).meetingID
  }

  /// The newest meeting of the name, which is the one that others are led to.
  private func newest(by connection: OperatorConnection) async throws -> String? {
    try await connection.meetings().last {
      $0.externalMeetingID == meeting && $0.primaryMeetingID.isEmpty
    }?.meetingID
  }

  /// Starts captions as soon as there is an engine, once; and leaves when somebody else has made a
  /// newer meeting of the name at the same time.
  private func keepPlace(_ id: String, _ client: MeetingClient) async {
    var hasCaptions = false
    repeat {
      guard await isStillNewest(id) else { return client.stop() }
      if !hasCaptions { hasCaptions = await startCaptions(of: id) }
    } while (try? await Task.sleep(for: Self.checkInterval)) != nil
  }

  /// Without an answer it is.
  private func isStillNewest(_ id: String) async -> Bool {
    let newest = try? await OperatorConnection.with(gatewayIn: places) {
      try await self.newest(by: $0)
    }
    return newest.flatMap { $0 }.map { $0 == id } ?? true
  }

  private func startCaptions(of id: String) async -> Bool {
    let configuration = V1.TranscriptionConfiguration(languageCode: Self.language)
    let started = try? await OperatorConnection.with(gatewayIn: places) { connection in
      try await connection.call(
        V1.OperatorMethods.startTranscription,
        V1.StartTranscriptionRequest(meetingID: id, configuration: configuration),
        within: .seconds(10))
    }
    return started != nil
  }
}
