internal import CarillonClient
internal import LocalInstallation
internal import MeetingViews
internal import Output

/// The clients of a load, from their joins to their ends.
struct LoadRun {
  private let clients: [MeetingClient]
  private let media: [Int: LoadMedia]
  private let cast: LoadCast
  private let tally = LoadTally()
  private let places: [String]

  private static let topic = "load"

  /// Longer than a client tries to join.
  private static let patience = Duration.seconds(60)

  /// - Parameters:
  ///   - cast: Who speaks and shows a camera.
  ///   - places: Where the services' registry may be.
  init(_ tickets: [JoinTicket], in meeting: String, _ cast: LoadCast, _ places: [String]) {
    (self.cast, self.places) = (cast, places)
    let configurations = tickets.map { ticket in
      MeetingSessionConfiguration(
        meetingID: meeting, attendee: ticket.attendee, joinToken: ticket.joinToken,
        gateway: ticket.gateway)
    }
    var media: [Int: LoadMedia] = [:]
    for (number, configuration) in configurations.enumerated() where cast.hasMedia(number) {
      media[number] = LoadMedia(
        configuration, isTalking: cast.isTalking(number), isFilming: cast.isFilming(number))
    }
    self.media = media
    clients = configurations.enumerated().map { [tally] number, configuration in
      let own = media[number]
      let session: any CarillonMeetingSession =
        own?.session
        ?? MeetingSessionWithoutMedia(
          configuration: configuration,
          logger: ConsoleLogger(name: configuration.credentials.externalUserId, level: .OFF))
      return MeetingClient(session, topics: [Self.topic]) { event in
        switch event {
        case .started:
          own?.begin()
          tally.joined(number)
        case .reconnecting: tally.lostConnection()
        case .ended: tally.ended(number)
        case .message(let message):
          if let text = message.text, let number = Int(text) { tally.delivered(number) }
        case .reconnected, .attendee, .throttled, .messagesResumed, .transcript, .promotion:
          break
        }
      }
    }
  }

  /// Joins, sends, waits for what is on its way, and leaves.
  func run(
    messagesPerSecond rate: Int, seconds: Int
  ) async throws -> (LoadReport, [Record]) {
    for (number, client) in clients.enumerated() {
      tally.begins(number)
      if media[number] == nil { try client.start() } else { try client.start(.init()) }
    }
    try await wait { $0.settled == clients.count }
    // What does not come is counted as missing.
    try? await wait(within: .seconds(10)) { _ in allHearAndSee }
    let before = ProcessorTimes(inFirstOf: places)
    let heardBefore = media.mapValues(\.counts)
    try await send(rate, for: seconds)
    let heard = media.mapValues(\.counts).merging(heardBefore) { $0 - $1 }
    let receivers = clients.count - 1
    try? await wait(within: .seconds(5)) { tally in
      tally.deliveryCount >= tally.report(receivers: receivers).expected
    }
    var report = tally.report(receivers: receivers)
    report.media = LoadReport.Media(heard, of: cast, seconds: seconds)
    let usage = ProcessorTimes(inFirstOf: places).usage(since: before)
    for own in media.values { own.end() }
    for client in clients { client.stop() }
    try? await wait(within: .seconds(10)) { $0.over == clients.count }
    return (report, usage)
  }

  /// Whether sound and pictures have begun for everybody who is to have some.
  private var allHearAndSee: Bool {
    media.allSatisfy { number, own in
      let counts = own.counts
      return (counts.spoken > 0 || cast.heard(by: number) == 0)
        && (counts.frames > 0 || cast.seen(by: number) == 0)
    }
  }

  /// Each message leaves at its time, by the next client; where the machine is too slow for that,
  /// those that are late leave at once.
  private func send(_ rate: Int, for seconds: Int) async throws {
    let start = ContinuousClock.now
    for number in 0..<max(rate * seconds, 0) {
      let due = start + .seconds(number) / rate
      if due > .now { try await Task.sleep(until: due) }
      let message = tally.sends()
      do {
        try clients[number % clients.count].send("\(message)", on: Self.topic) { [tally] result in
          if case .failure = result { tally.refused(message) }
        }
      } catch {
        tally.refused(message)
      }
    }
    try await Task.sleep(until: start + .seconds(seconds))
  }

  /// Waits until something is so.
  private func wait(
    within limit: Duration = patience, until isSo: (LoadTally) -> Bool
  ) async throws {
    let end = ContinuousClock.now + limit
    while !isSo(tally) {
      guard .now < end else {
        throw CommandFailure.unavailable(
          "The clients of the load did not all join in time; look at `carillon services`.")
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }
}
