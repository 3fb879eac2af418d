import Bus
import MeetingModel
import Ownership
import Wire

// Answers requests about knocks at locked meetings. These requests do not wait for the end of
// recovery, because gateways announce no knocks.
extension PresenceService {
  func knock(_ request: V1.KnockRequest, _ call: Call<V1.KnockReply>) {
    answer(call) {
      let meeting = try owned(request.meetingID)
      let knock = try Knocks.Request(request)
      let state = try decide { try $0.knock(knock, at: meeting, now: $1) }
      return V1.KnockReply(state: V1.KnockState(state))
    }
  }

  func takeKnock(_ request: V1.TakeKnockRequest, _ call: Call<V1.TakeKnockReply>) {
    answer(call) {
      let meeting = try owned(request.meetingID)
      let id = try KnockID(request.knockID)
      // An older gateway sends no entry id. Each call of this gateway is another entry.
      let entry = request.entryID.isEmpty ? .random() : try Self.entry(request.entryID)
      try decide { try $0.takeKnock(id, as: entry, at: meeting, now: $1) }
      return V1.TakeKnockReply()
    }
  }

  func returnKnock(_ request: V1.ReturnKnockRequest, _ call: Call<V1.ReturnKnockReply>) {
    answer(call) {
      let meeting = try owned(request.meetingID)
      let id = try KnockID(request.knockID)
      let entry = try Self.entry(request.entryID)
      decide { $0.returnKnock(id, as: entry, at: meeting, now: $1) }
      return V1.ReturnKnockReply()
    }
  }

  private static func entry(_ text: String) throws(PresenceError) -> GUID {
    guard let entry = GUID(text) else {
      throw .malformed(field: "entry_id", rule: "a GUID")
    }
    return entry
  }

  func listKnocks(_ request: V1.ListKnocksRequest, _ call: Call<V1.ListKnocksReply>) {
    answer(call) {
      let meeting = try owned(request.meetingID)
      let knocks = decide { $0.listKnocks(at: meeting, now: $1) }
      return V1.ListKnocksReply(
        knocks: knocks.map { V1.WaitingKnock(knockID: $0.id.text, displayName: $0.name.text) })
    }
  }

  func answerKnock(_ request: V1.AnswerKnockRequest, _ call: Call<V1.AnswerKnockReply>) {
    answer(call) {
      let meeting = try owned(request.meetingID)
      let id = try KnockID(request.knockID)
      try decide {
        try $0.answerKnock(id, at: meeting, admits: request.isAdmitted, now: $1)
      }
      return V1.AnswerKnockReply()
    }
  }

  func getHostPresence(
    _ request: V1.GetHostPresenceRequest, _ call: Call<V1.GetHostPresenceReply>
  ) {
    answer(call) {
      let meeting = try owned(request.meetingID)
      let isPresent = decide { $0.hasHost(in: meeting, at: $1) }
      return V1.GetHostPresenceReply(isHostPresent: isPresent)
    }
  }
}

extension Knocks.Request {
  /// Reads a knock from a gateway's message.
  ///
  /// - Throws: ``PresenceError/malformed(field:rule:)`` or `InvalidModelValue` for an invalid
  ///   field.
  fileprivate init(_ request: V1.KnockRequest) throws {
    guard request.address.utf8.count <= 64 else {
      throw PresenceError.malformed(field: "address", rule: "at most 64 bytes")
    }
    // `Knocks` treats all ages above 10 minutes alike, so an upper limit of 49 days changes no
    // answer.
    let age = Duration.milliseconds(min(request.ageMs, UInt64(UInt32.max)))
    self.init(
      id: try KnockID(request.knockID), name: try DisplayName(request.displayName),
      address: request.address, age: age)
  }
}
