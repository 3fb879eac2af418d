internal import CarillonClient
internal import MeetingViews
internal import Output

/// The methods that send data messages of the demo.
extension InProcessClient {
  /// Returns a client that receives every data message of the demo.
  static func listening(_ configuration: MeetingSessionConfiguration) -> InProcessClient {
    InProcessClient(configuration, topics: DemoTopic.allCases.map(\.rawValue))
  }

  /// Sends one data message.
  ///
  /// - Returns: The message's position in the log, after the server has acknowledged the message.
  func send(_ data: Any, on topic: DemoTopic, lifetimeMs: Int32 = 0) async throws -> UInt64 {
    do {
      return try await client.send(data, on: topic.rawValue, lifetimeMs: lifetimeMs).sequence
    } catch {
      throw CommandFailure(sending: error)
    }
  }

  /// Sends one data message, and retries while the server throttles the message.
  ///
  /// - Returns: The message's position in the log, and the number of times that the server
  ///   throttled the message.
  func sendPatiently(
    _ text: String, on topic: DemoTopic
  ) async throws -> (logged: DataMessageWithPosition, refusals: Int) {
    var refusals = 0
    while true {
      do {
        let receipt = try await client.send(text, on: topic.rawValue)
        return (
          DataMessageWithPosition(sequence: receipt.sequence, data: Array(text.utf8)), refusals
        )
      } catch DataMessageFailure.throttled(let waitMs) {
        refusals += 1
        try await Task.sleep(for: .milliseconds(waitMs))
      } catch {
        throw CommandFailure(sending: error)
      }
    }
  }

  /// Sends data messages without waiting for their acknowledgements.
  ///
  /// - Returns: The outcomes of the messages, in the order of the messages.
  func sendAtOnce(_ texts: [String], on topic: DemoTopic) async throws -> [SendOutcome] {
    let (outcomes, arrivals) = AsyncStream.makeStream(of: (Int, SendOutcome).self)
    for (index, text) in texts.enumerated() {
      try client.send(text, on: topic.rawValue) { result in
        arrivals.yield((index, SendOutcome(result, text)))
      }
    }
    var found: [Int: SendOutcome] = [:]
    for await (index, outcome) in outcomes {
      found[index] = outcome
      if found.count == texts.count { break }
    }
    return texts.indices.compactMap { found[$0] }
  }
}
