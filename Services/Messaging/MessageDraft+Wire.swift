import MeetingModel
import Storage
import Wire

extension MessageDraft {
  /// Reads a message from a request.
  ///
  /// - Throws: The errors of ``MessageDraft``; `InvalidModelValue` for an invalid sender.
  init(
    _ request: V1.SendDataMessageRequest, idempotencyKey: String, rules: MessagingRules
  ) throws {
    try self.init(
      from: try MessageOrigin(request), topic: request.topic, data: request.data,
      lifetimeMs: request.lifetimeMs, recipients: request.recipients,
      idempotencyKey: idempotencyKey, round: request.round, rules: rules)
  }
}

extension MessageOrigin {
  fileprivate init(_ request: V1.SendDataMessageRequest) throws {
    // This code treats a sender with an empty id as absent, because an absent sender has the same
    // encoding.
    let named = request.sender.flatMap { $0.attendeeIDInPlace.isEmpty ? nil : $0 }
    let sender = try named.map { try ParticipantIdentity($0) }
    guard !request.sessionIDInPlace.isEmpty else {
      self = .service(sender)
      return
    }
    guard let sender else {
      throw MessagingError.malformed(field: "sender", rule: "present for a session")
    }
    self = .client(try SessionID(wire: request.sessionIDInPlace), sender)
  }
}

extension MessageReplayQuery {
  /// Reads a query for the messages after a position.
  init(_ request: V1.MessageReplayRequest) throws {
    let reader: MessageLogReader =
      if request.sessionID.isEmpty {
        .gateway
      } else {
        .session(try SessionID(wire: request.sessionID), try ParticipantID(request.participantID))
      }
    self.init(
      reader: reader, epoch: request.epoch, after: request.afterSequence,
      through: request.throughSequence, maxBytes: Self.maxBytes(request.maxBytes))
  }

  /// Returns the maximum size of a reply, in bytes. It is less than 4 MiB, the maximum that a
  /// caller decodes.
  static func maxBytes(_ requested: UInt32) -> Int {
    requested == 0 ? 1 << 20 : min(Int(requested), 3 << 20)
  }
}
