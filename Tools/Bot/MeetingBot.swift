internal import Bus
internal import CarillonClient
internal import Foundation
package import LocalInstallation
internal import MeetingViews
internal import Output
internal import Speaking
internal import Wire

/// A bot that speaks and chats in a meeting with a given name.
///
/// The bot creates the meeting if it does not exist. After the meeting ends or the services
/// restart, the bot joins again.
package struct MeetingBot: Sendable {
  private let meeting: String
  private let places: [String]
  private let spawner: ProcessSpawner
  private let environment: [String: String]
  private let log: @Sendable (String) -> Void

  /// The bot's external user id and display name.
  package static let name = "Carillon bot"

  private static let topic = "chat"
  private static let voice = "slt"
  private static let language = "en-US"

  /// How long the server keeps the bot's messages for attendees who join late, in milliseconds.
  private static let lifetimeMs: Int32 = 60_000

  /// The pause between two meetings, and between two attempts to join a meeting.
  private static let pause = Duration.seconds(1)

  /// The interval at which the bot checks whether its meeting is still the newest meeting with this
  /// name.
  private static let checkInterval = Duration.seconds(15)

  /// - Parameters:
  ///   - meeting: The application's own id of the meeting.
  ///   - runtimeDirectory: The runtime directory of the services.
  ///   - environment: The environment of the processes that the bot starts.
  ///   - log: Called with each error and the bot's reaction.
  package init(
    in meeting: String, of runtimeDirectory: String, by spawner: ProcessSpawner,
    environment: [String: String], log: @escaping @Sendable (String) -> Void
  ) {
    (self.meeting, places) = (meeting, [runtimeDirectory])
    (self.spawner, self.environment, self.log) = (spawner, environment, log)
  }

  /// Creates the meeting if it does not exist, so that early attendees and the bot join the same
  /// meeting.
  package func prepare() async {
    do {
      _ = try await OperatorConnection.with(gatewayIn: places) { try await meetingID(by: $0) }
    } catch {
      log("The bot cannot create its meeting yet, and tries again: \(error)")
    }
  }

  /// Attends the meeting until the task's cancellation.
  package func run() async {
    let folder = NSTemporaryDirectory() + "carillon-bot-\(UUID().uuidString.prefix(8))"
    let files = FileManager.default
    try? files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? files.removeItem(atPath: folder) }
    let speech = SpeechSynthesizer(in: folder, by: spawner, environment: environment)
    var lastProblem: String?
    while !Task.isCancelled {
      do {
        try await attend(speech)
        lastProblem = nil
      } catch {
        let problem = "\(error)"
        if !Task.isCancelled, problem != lastProblem {
          log("The bot has left the meeting, and tries to join again: \(problem)")
        }
        lastProblem = problem
      }
      try? await Task.sleep(for: Self.pause)
    }
  }

  /// Joins the meeting that has the given name, and remains until the meeting ends.
  private func attend(_ speech: SpeechSynthesizer) async throws {
    let place = try await OperatorConnection.with(gatewayIn: places) { connection in
      try await self.place(by: connection)
    }
    let mouth = ScriptedMicrophone()
    // The buffer is limited: in a flooded meeting the bot skips events that it cannot process.
    let (news, arrivals) = AsyncStream.makeStream(
      of: ObservedEvent.self, bufferingPolicy: .bufferingNewest(1_024))
    let client = MeetingEventClient(
      DefaultMeetingSession(
        configuration: place, logger: ConsoleLogger(name: Self.name, level: .OFF),
        audio: MediaAudio(source: mouth)),
      topics: [Self.topic]
    ) { event in
      arrivals.yield(event)
      if event.isEnd { arrivals.finish() }
    }
    let visit = BotSession(ownID: place.credentials.attendeeId)
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
    _ deeds: [BotScript.Deed], _ client: MeetingEventClient,
    _ saying: AsyncStream<String>.Continuation
  ) {
    for deed in deeds {
      switch deed {
      case .say(let sentence): saying.yield(sentence)
      case .write(let line):
        // The bot does not retry a message that the server throttled.
        try? client.send(line, on: Self.topic, lifetimeMs: Self.lifetimeMs) { _ in }
      }
    }
  }

  private static func sound(_ sentence: String, _ speech: SpeechSynthesizer) async -> [Int16] {
    (try? await speech.say(sentence, voice: voice)) ?? BellSound.ring()
  }

  // MARK: The meeting

  /// Creates the bot's attendee, and returns the configuration of its session.
  private func place(by connection: OperatorConnection) async throws -> MeetingSessionConfiguration
  {
    let id = try await meetingID(by: connection)
    // This call creates the attendee only once: a meeting has at most one attendee with this
    // external user id, and further calls return this attendee.
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

  /// Returns the meeting that has the given name. Creates the meeting if it does not exist.
  private func meetingID(by connection: OperatorConnection) async throws -> String {
    if let known = try await newest(by: connection) { return known }
    return try await connection.call(
      V1.OperatorMethods.createMeeting, V1.CreateMeetingRequest(externalMeetingID: meeting)
    ).meetingID
  }

  /// Returns the newest meeting that has the given name. Other attendees join the same meeting.
  private func newest(by connection: OperatorConnection) async throws -> String? {
    try await connection.meetings().last {
      $0.externalMeetingID == meeting && $0.primaryMeetingID.isEmpty
    }?.meetingID
  }

  /// Starts captions as soon as an engine has attached, and leaves when a newer meeting with the
  /// name exists.
  ///
  /// Another client may have created the newer meeting at the same time.
  private func keepPlace(_ id: String, _ client: MeetingEventClient) async {
    var hasCaptions = false
    repeat {
      guard await isStillNewest(id) else { return client.stop() }
      if !hasCaptions { hasCaptions = await startCaptions(of: id) }
    } while (try? await Task.sleep(for: Self.checkInterval)) != nil
  }

  /// Returns whether the meeting is still the newest meeting that has the given name; `true` if no
  /// gateway answers.
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
