import Bus
import MeetingModel
import OwnerTestSupport
import Wire

@testable import Messaging

extension SeenEvent {
  var message: V1.DataMessage? {
    if case .dataMessage(let message) = body.events.first?.event { message } else { nil }
  }

  var text: String? { message.map { String(decoding: $0.data, as: UTF8.self) } }
}

extension V1.MessageReplay {
  var seen: [SeenEvent] { events.compactMap { SeenEvent($0.header, $0.body) } }

  var texts: [String] { seen.compactMap(\.text) }
}

extension CallOptions {
  /// Returns options with a timeout longer than any stall of a busy machine.
  static func patient(key: String = "", term: UInt64 = 0) -> CallOptions {
    CallOptions(timeout: .seconds(30), term: term, idempotencyKey: key)
  }
}

extension FollowedStream {
  /// The stream of the planning meeting's data messages.
  static let messages = FollowedStream(
    of: "messaging-a", .messages(of: .planning), replay: V1.MessagingMethods.replay
  ) { epoch, sequence in
    V1.MessageReplayRequest(
      meetingID: MeetingID.planning.text, epoch: epoch, afterSequence: sequence)
  } missed: { reply in
    .events(reply.events)
  }
}

/// Requests to messaging.
extension TestGateway {
  static func ofMessages() -> TestGateway {
    TestGateway(following: .messages, options: .patient())
  }

  /// Follows all events of the planning meeting from now on.
  func follow() async throws(Status) {
    subscribe()
    let replay = try await replay()
    takeEvents(ofEpoch: replay.epoch, after: replay.throughSequence)
  }

  /// Follows the planning meeting as if the gateway had received no event.
  func followFromStart() async throws(Status) {
    subscribe()
    takeEvents(ofEpoch: try await replay().epoch, after: 0)
  }

  @discardableResult
  func join(
    _ person: Person, device: UInt8 = 0, in meeting: MeetingID = .planning, maxBytes: UInt32 = 0,
    options: CallOptions = .patient()
  ) async throws(Status) -> V1.MessageReplay {
    let request = V1.JoinMessagesRequest(
      meetingID: meeting.text, sessionID: person.session(device).bytes,
      participantID: person.participant.text, maxBytes: maxBytes)
    return try await call(V1.MessagingMethods.join, request, options: options)
  }

  func leave(_ person: Person) async throws(Status) {
    _ = try await call(
      V1.MessagingMethods.leave,
      V1.LeaveRequest(meetingID: MeetingID.planning.text, sessionID: person.session().bytes))
  }

  func append(
    _ request: V1.SendDataMessageRequest, key: String = ""
  ) async throws(Status) -> V1.SendDataMessageReply {
    try await call(
      V1.MessagingMethods.sendDataMessage, request, options: CallOptions.patient(key: key))
  }

  /// Returns the status with which the logs refuse a message; `nil` if the logs accept the message.
  func refusal(of request: V1.SendDataMessageRequest) async -> Status? {
    do {
      _ = try await append(request)
      return nil
    } catch {
      return error
    }
  }

  @discardableResult
  func send(
    _ person: Person, _ text: String, lifetimeMs: Int32 = 0, to recipients: [Person] = [],
    key: String = ""
  ) async throws(Status) -> V1.SendDataMessageReply {
    let request = V1.SendDataMessageRequest.from(
      person, text, lifetimeMs: lifetimeMs, to: recipients)
    return try await append(request, key: key)
  }

  /// Sends several messages in one turn.
  func send(
    _ person: Person, _ texts: [String]
  ) async -> [Result<V1.SendDataMessageReply, Status>] {
    let (answers, answer) = AsyncStream.makeStream(
      of: (Int, Result<V1.SendDataMessageReply, Status>).self)
    for (index, text) in texts.enumerated() {
      let options = CallOptions.patient(key: text)
      start(V1.MessagingMethods.sendDataMessage, .from(person, text), options: options) {
        answer.yield((index, $0))
      }
    }
    var results = [Result<V1.SendDataMessageReply, Status>?](repeating: nil, count: texts.count)
    var left = texts.count
    for await (index, result) in answers {
      results[index] = result
      left -= 1
      if left == 0 { break }
    }
    return results.compactMap(\.self)
  }

  /// Returns the messages after a position. If `person` is `nil`, the gateway reads the messages
  /// for itself.
  func replay(
    for person: Person? = nil, epoch: UInt64 = 0, after sequence: UInt64 = 0, maxBytes: UInt32 = 0,
    through: UInt64 = 0
  ) async throws(Status) -> V1.MessageReplay {
    let request = V1.MessageReplayRequest(
      meetingID: MeetingID.planning.text, epoch: epoch, afterSequence: sequence,
      sessionID: person?.session().bytes ?? [], participantID: person?.participant.text ?? "",
      maxBytes: maxBytes, throughSequence: through)
    return try await call(V1.MessagingMethods.replay, request)
  }

  func end(_ meeting: MeetingID) async throws(Status) {
    _ = try await call(
      V1.MessagingMethods.endMeeting, V1.EndMeetingRequest(meetingID: meeting.text))
  }
}

extension V1.SendDataMessageRequest {
  static func from(
    _ person: Person, _ text: String, lifetimeMs: Int32 = 0, to recipients: [Person] = []
  ) -> V1.SendDataMessageRequest {
    V1.SendDataMessageRequest(
      meetingID: MeetingID.planning.text, sessionID: person.session().bytes,
      sender: V1.AttendeeInfo(
        attendeeID: person.participant.text, externalUserID: "person-\(person.number)"),
      topic: "chat", data: Array(text.utf8), lifetimeMs: lifetimeMs,
      recipients: recipients.map(\.attendee.text))
  }
}

extension V1.SendDataMessageReply {
  var accepted: V1.AcceptedAt? {
    if case .accepted(let place) = outcome { place } else { nil }
  }

  var throttled: V1.Throttled? {
    if case .throttled(let throttled) = outcome { throttled } else { nil }
  }
}
