import MeetingModel
import TestSupport
import Trials
import Wire

// Sends and receives data messages.
extension RawClient {
  /// Sends a message without waiting for the answer.
  ///
  /// - Returns: The id of the call.
  @discardableResult
  func say(
    _ topic: String, _ data: [UInt8], lifetimeMs: Int32 = 0, to recipients: [String] = [],
    key: String = ""
  ) throws -> UInt64 {
    let request = V1.SendDataMessageRequest(
      topic: topic, data: data, lifetimeMs: lifetimeMs, recipients: recipients)
    return try send(
      V1.AudioVideoFacadeMethods.sendDataMessage.key, request.packed(), idempotencyKey: key)
  }

  /// Sends a message, waits until the server accepts the message, and returns the message's
  /// position in the log.
  @discardableResult
  func sayAndWait(
    _ topic: String, _ text: String, lifetimeMs: Int32 = 0, to recipients: [String] = [],
    key: String = ""
  ) async throws -> V1.AcceptedAt {
    let call = try say(topic, Array(text.utf8), lifetimeMs: lifetimeMs, to: recipients, key: key)
    return try await place(of: call)
  }

  /// Waits until the server accepts a message, and returns the message's position in the log.
  nonisolated func place(of call: UInt64) async throws -> V1.AcceptedAt {
    let answer = try await answer(to: call)
    guard answer.status == nil,
      case .accepted(let place) = try V1.SendDataMessageReply(packed: answer.body).outcome
    else { throw Failure.refused(answer.status) }
    return place
  }

  /// The received messages in order.
  nonisolated var messages: [V1.DataMessage] { answers.entries.flatMap(\.messages) }

  /// The texts of the received messages.
  nonisolated var texts: [String] { messages.map { String(decoding: $0.data, as: UTF8.self) } }

  /// Waits until the texts of the received messages are exactly these texts.
  nonisolated func hears(exactly texts: [String]) async throws {
    try await answers.wait(for: "exactly \(texts)") { answers in
      answers.flatMap(\.messages).map { String(decoding: $0.data, as: UTF8.self) } == texts
    }
  }

  /// Waits until `count` messages have arrived, and returns all received messages.
  @discardableResult
  nonisolated func hears(
    count: Int, within limit: Duration = .seconds(15)
  ) async throws -> [V1.DataMessage] {
    try await answers.wait(for: "\(count) messages", within: limit) {
      $0.flatMap(\.messages).count >= count
    }.flatMap(\.messages)
  }

  /// Returns the last received position of a stream.
  nonisolated func position(in stream: String) -> V1.StreamPosition? {
    answers.entries.flatMap(\.positions).last { $0.stream == stream }
  }
}

extension RawClient.Answer {
  var messages: [V1.DataMessage] {
    events.compactMap { if case .dataMessage(let message) = $0.event { message } else { nil } }
  }

  /// The positions in an item of the session stream; empty for any other frame.
  var positions: [V1.StreamPosition] {
    guard header.kind == .item else { return [] }
    return (try? V1.SessionEvents(packed: body))?.positions ?? []
  }

  /// The streams in which the gateway reports lost events.
  var lost: [String] {
    events.compactMap { if case .eventsLost(let lost) = $0.event { lost.stream } else { nil } }
      + (started?.incompleteStreams ?? [])
  }
}
