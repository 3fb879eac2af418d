import MeetingModel
import Storage
import Wire

extension MessageDraft {
  /// Reads a message as it arrived.
  ///
  /// - Throws: What the checks of a message do, and `ModelError` for a wrong sender.
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
    // A sender without an id is none: absent and empty mean the same on the wire.
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

extension ReplayQuery {
  /// What follows a position.
  init(_ request: V1.MessageReplayRequest) throws {
    let reader: LogReader =
      if request.sessionID.isEmpty {
        .gateway
      } else {
        .session(try SessionID(wire: request.sessionID), try ParticipantID(request.participantID))
      }
    self.init(
      reader: reader, epoch: request.epoch, after: request.afterSequence,
      through: request.throughSequence, maxBytes: Self.maxBytes(request.maxBytes))
  }

  /// A reply must fit what a caller unpacks, 4 MiB.
  static func maxBytes(_ requested: UInt32) -> Int {
    requested == 0 ? 1 << 20 : min(Int(requested), 3 << 20)
  }
}
