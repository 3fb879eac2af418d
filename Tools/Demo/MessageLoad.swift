internal import MeetingViews
internal import Output

/// Several clients that send data messages without a pause, several at a time each.
struct MessageLoad {
  /// One message that the server has acknowledged.
  struct Acknowledgement: Sendable {
    let sender: String
    let logged: LoggedData
    /// How often it came back before, because there were too many.
    let refusals: Int
    let time: ContinuousClock.Instant
  }

  /// All that was sent, in the order of the acknowledgements.
  struct Result {
    var acknowledgements: [Acknowledgement] = []

    var refusals: Int { acknowledgements.reduce(0) { $0 + $1.refusals } }

    /// The longest time in which nothing was acknowledged.
    var longestPause: Duration {
      zip(acknowledgements.dropFirst(), acknowledgements).map { $0.time - $1.time }.max() ?? .zero
    }

    /// What somebody must have got who gets no echo, in the order of the log.
    func logged(exceptBy name: String) -> [LoggedData] {
      acknowledgements.filter { $0.sender != name }.map(\.logged)
        .sorted { $0.sequence < $1.sequence }
    }
  }

  let senders: [Watcher]
  /// Messages that each of them sends.
  let countEach: Int

  /// Messages of one sender that are under way together.
  private static let width = 8

  /// Sends all of it.
  ///
  /// - Parameters:
  ///   - moment: After so many acknowledgements the disturbance comes; sending goes on.
  ///   - disturb: Does it.
  /// - Throws: ``CommandFailure`` when a message is not acknowledged, or not in time.
  func run(
    within limit: Duration, at moment: Int, _ disturb: () async throws -> Void
  ) async throws -> Result {
    let (arrivals, news) = AsyncThrowingStream.makeStream(of: Acknowledgement.self)
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
      for sender in senders {
        for lane in 0..<Self.width {
          tasks.addTask { await send(lane, by: sender, telling: news) }
        }
      }
      tasks.addTask {
        try await Task.sleep(for: limit)
        news.finish(
          throwing: CommandFailure(
            code: "DEADLINE_EXCEEDED", message: "Not all was acknowledged within \(limit)."))
      }
      defer { tasks.cancelAll() }
      var result = Result()
      for try await acknowledgement in arrivals {
        result.acknowledgements.append(acknowledgement)
        if result.acknowledgements.count == moment { try await disturb() }
        if result.acknowledgements.count == senders.count * countEach { break }
      }
      return result
    }
  }

  /// Sends every eighth message of a sender, one after the other.
  private func send(
    _ lane: Int, by sender: Watcher,
    telling news: AsyncThrowingStream<Acknowledgement, any Error>.Continuation
  ) async {
    do {
      for number in stride(from: lane, to: countEach, by: Self.width) {
        let (logged, refusals) = try await sender.sendPatiently(
          "message \(number + 1) of \(sender.name)", on: .load)
        news.yield(
          Acknowledgement(sender: sender.name, logged: logged, refusals: refusals, time: .now))
      }
    } catch {
      news.finish(throwing: error)
    }
  }
}
