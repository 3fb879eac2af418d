internal import CarillonClientCore
internal import LocalInstallation
internal import MeetingViews
internal import Output

/// The clients of a load, from their joins to their ends.
struct LoadRun {
  private let clients: [MeetingClient]
  private let tally = LoadTally()
  private let places: [String]

  private static let topic = "load"

  /// Longer than a client tries to join.
  private static let patience = Duration.seconds(60)

  /// - Parameter places: Where the services' registry may be.
  init(_ tickets: [JoinTicket], in meeting: String, _ places: [String]) {
    self.places = places
    clients = tickets.enumerated().map { [tally] number, ticket in
      let configuration = MeetingSessionConfiguration(
        meetingID: meeting, attendee: ticket.attendee, joinToken: ticket.joinToken,
        gateway: ticket.gateway)
      return MeetingClient(configuration, topics: [Self.topic]) { event in
        switch event {
        case .started: tally.joined(number)
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
      try client.start()
    }
    try await wait { $0.settled == clients.count }
    let before = ProcessorTimes(inFirstOf: places)
    try await send(rate, for: seconds)
    let receivers = clients.count - 1
    try? await wait(within: .seconds(5)) { tally in
      tally.deliveryCount >= tally.report(receivers: receivers).expected
    }
    let report = tally.report(receivers: receivers)
    let usage = ProcessorTimes(inFirstOf: places).usage(since: before)
    for client in clients { client.stop() }
    try? await wait(within: .seconds(10)) { $0.over == clients.count }
    return (report, usage)
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
