internal import MeetingViews
internal import Output

/// Several clients that each send eight data messages at a time without a pause.
struct MessageLoad {
  /// One message that the server has acknowledged.
  struct Acknowledgement: Sendable {
    let sender: String
    let logged: DataMessageWithPosition
    /// The number of times that the server throttled the message before it accepted the message.
    let refusals: Int
    let time: ContinuousClock.Instant
  }

  /// All sent messages, in the order of their acknowledgements.
  struct SentMessages {
    var acknowledgements: [Acknowledgement] = []

    var refusals: Int { acknowledgements.reduce(0) { $0 + $1.refusals } }

    /// The longest time without an acknowledgement.
    var longestPause: Duration {
      zip(acknowledgements.dropFirst(), acknowledgements).map { $0.time - $1.time }.max() ?? .zero
    }

    /// Returns the messages from all senders except the sender `name`, in the order of the log. If
    /// this sender does not receive its own messages, it must receive exactly the returned
    /// messages.
    func logged(exceptBy name: String) -> [DataMessageWithPosition] {
      acknowledgements.filter { $0.sender != name }.map(\.logged)
        .sorted { $0.sequence < $1.sequence }
    }
  }

  let senders: [InProcessClient]
  /// The number of messages that each client sends.
  let countEach: Int

  /// The number of messages of one sender that wait for acknowledgements at the same time.
  private static let width = 8

  /// Sends all messages.
  ///
  /// - Parameters:
  ///   - moment: The number of acknowledgements after which this type calls `disturb`.
  ///   - disturb: Disturbs the services while sending continues.
  /// - Throws: ``CommandFailure`` when the server does not acknowledge a message in time.
  func run(
    within limit: Duration, at moment: Int, _ disturb: () async throws -> Void
  ) async throws -> SentMessages {
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
            code: "DEADLINE_EXCEEDED", message: "Some messages had no answer within \(limit)."))
      }
      defer { tasks.cancelAll() }
      var result = SentMessages()
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
    _ lane: Int, by sender: InProcessClient,
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
