internal import CarillonClient
internal import Foundation
internal import LocalInstallation
internal import MeetingViews
internal import Output

/// The run of a load test, from the joins of the clients until the clients leave.
struct LoadRun: Sendable {
  private let clients: [MeetingEventClient]
  private let media: [Int: LoadMedia]
  private let cast: LoadMediaPlan
  private let tally = LoadTally()
  private let metrics: InstanceMetricsReader

  private static let topic = "load"

  /// The maximum number of clients that join at the same time.
  ///
  /// The limit lets the joined clients process the events of each join before further clients join.
  private static let mostJoining = 16

  /// A timeout that is longer than the time for which a client tries to join.
  private static let patience = Duration.seconds(60)

  /// - Parameters:
  ///   - cast: The clients that speak or send camera video.
  ///   - metrics: The source of the instances' processor times.
  init(
    _ tickets: [JoinInformation], in meeting: String, _ cast: LoadMediaPlan,
    _ metrics: InstanceMetricsReader
  ) {
    (self.cast, self.metrics) = (cast, metrics)
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
      Self.client(number, configuration, media[number], tally)
    }
  }

  private static func client(
    _ number: Int, _ configuration: MeetingSessionConfiguration, _ own: LoadMedia?,
    _ tally: LoadTally
  ) -> MeetingEventClient {
    let session: any CarillonMeetingSession =
      own?.session
      ?? MeetingSessionWithoutMedia(
        configuration: configuration,
        logger: ConsoleLogger(name: configuration.credentials.externalUserId, level: .OFF))
    return MeetingEventClient(session, topics: [topic]) { event in
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

  /// The measurements other than the tally, taken while the clients sent messages.
  private struct Measured: Sendable {
    var heard: [Int: MediaTally.Counts] = [:]
    var seconds = 0
    var usage: [OutputRecord] = []
    var busyPercent = 0
  }

  /// Makes the clients join and send messages, waits for the messages in flight, and makes the
  /// clients leave.
  ///
  /// - Parameters:
  ///   - known: The instances to list even if they report no processor time.
  ///   - stops: A sequence whose first element ends the load test and the measurements early.
  func run(
    messagesPerSecond rate: Int, seconds: Int, known: [String], until stops: AsyncStream<Void>
  ) async -> (LoadTestReport, [OutputRecord]) {
    let measured = await orStopped(stops) {
      let start = ThreadTimes.read()
      await joinAll()
      let joining = busyPercent(since: start)
      guard !Task.isCancelled else { return Measured(busyPercent: joining) }
      var measured = await measuring(known) { await send(rate, for: seconds) }
      measured.busyPercent = max(measured.busyPercent, joining)
      return measured
    }
    await waitForDeliveries()
    let report = report(measured)
    await leave()
    return (report, measured.usage)
  }

  private func busyPercent(since start: ThreadTimes) -> Int {
    ThreadTimes.read().busyPercent(
      since: start, cores: ProcessInfo.processInfo.activeProcessorCount)
  }

  private func measuring(_ known: [String], _ work: () async -> Void) async -> Measured {
    let (before, threads) = (await ProcessorTimes.read(metrics), ThreadTimes.read())
    let (start, heard) = (ContinuousClock.now, media.mapValues(\.counts))
    await work()
    var measured = Measured()
    measured.heard = media.mapValues(\.counts).merging(heard) { $0 - $1 }
    measured.seconds = Int(((ContinuousClock.now - start) / .seconds(1)).rounded())
    measured.busyPercent = busyPercent(since: threads)
    measured.usage = await ProcessorTimes.read(metrics).usage(since: before, known: known)
    return measured
  }

  private func report(_ measured: Measured) -> LoadTestReport {
    var report = tally.report(receivers: clients.count - 1)
    report.busyPercent = measured.busyPercent
    report.media = LoadTestReport.Media(measured.heard, of: cast, seconds: measured.seconds)
    return report
  }

  /// Measures until the work ends or `stops` yields.
  ///
  /// If `stops` yields, this method cancels the work and returns the measurements so far.
  private func orStopped(
    _ stops: AsyncStream<Void>, _ work: @escaping @Sendable () async -> Measured
  ) async -> Measured {
    await withTaskGroup(of: Measured?.self) { tasks in
      tasks.addTask { await work() }
      tasks.addTask {
        for await _ in stops { break }
        return nil
      }
      var measured = Measured()
      for await result in tasks {
        tasks.cancelAll()
        if let result { measured = result }
      }
      return measured
    }
  }

  // MARK: Joining

  /// Makes all clients join, a few at a time. This method counts a client that has not joined
  /// before the timeout as failed.
  private func joinAll() async {
    for number in clients.indices {
      await settle { $0.joining < Self.mostJoining }
      guard !Task.isCancelled else { return }
      begin(number)
    }
    await settle { $0.joining == 0 }
    // This code regards sound or video that does not arrive in time as missing.
    _ = await waits(within: .seconds(10)) { _ in allHearAndSee }
  }

  private func settle(_ isSettled: (LoadTally) -> Bool) async {
    guard await !waits(until: isSettled), !Task.isCancelled else { return }
    tally.giveUpJoining()
  }

  private func begin(_ number: Int) {
    tally.begins(number)
    do {
      if media[number] == nil {
        try clients[number].start()
      } else {
        try clients[number].start(.init())
      }
    } catch {
      tally.ended(number)
    }
  }

  /// Whether every client that should receive sound or pictures has received some.
  private var allHearAndSee: Bool {
    media.allSatisfy { number, own in
      let counts = own.counts
      return (counts.spoken > 0 || cast.heard(by: number) == 0)
        && (counts.frames > 0 || cast.seen(by: number) == 0)
    }
  }

  // MARK: Sending

  /// Sends each message when it is due. The clients take turns. Sends overdue messages without
  /// further delay.
  private func send(_ rate: Int, for seconds: Int) async {
    let start = ContinuousClock.now
    for number in 0..<max(rate * seconds, 0) {
      let due = start + .seconds(number) / rate
      if due > .now { try? await Task.sleep(until: due) }
      guard !Task.isCancelled else { return }
      send(through: clients[number % clients.count])
    }
    try? await Task.sleep(until: start + .seconds(seconds))
  }

  private func send(through client: MeetingEventClient) {
    let message = tally.sends()
    do {
      try client.send("\(message)", on: Self.topic) { [tally] result in
        if case .failure = result { tally.refused(message) }
      }
    } catch {
      tally.refused(message)
    }
  }

  private func waitForDeliveries() async {
    let receivers = clients.count - 1
    _ = await waits(within: .seconds(5)) { tally in
      tally.deliveryCount >= tally.report(receivers: receivers).expected
    }
  }

  // MARK: Leaving

  private func leave() async {
    for own in media.values { own.end() }
    for client in clients { client.stop() }
    _ = await waits(within: .seconds(10)) { $0.over >= $0.begun }
  }

  /// Waits until a condition is true.
  ///
  /// - Returns: Whether the condition became true before the timeout and before the task's
  ///   cancellation.
  private func waits(
    within limit: Duration = patience, until isSo: (LoadTally) -> Bool
  ) async -> Bool {
    let end = ContinuousClock.now + limit
    while !isSo(tally) {
      guard .now < end, (try? await Task.sleep(for: .milliseconds(10))) != nil else {
        return false
      }
    }
    return true
  }
}
