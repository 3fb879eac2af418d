import Bus
import MeetingModel
import Wire

/// An answer that waits for the disk.
enum WaitingAnswer {
  /// About a message.
  case append(WaitingAppend)
  /// Any other of a meeting: answers, or refuses with a status.
  case other(MeetingID, finish: (Status?) -> Void)

  var meeting: MeetingID {
    switch self {
    case .append(let append): append.meeting
    case .other(let meeting, _): meeting
    }
  }
}

/// The answer about a message that waits for the disk. A value without closures: there is one for
/// each message, and it costs no memory of its own.
struct WaitingAppend: Placed {
  let meeting: MeetingID
  let sequence: UInt64
  let acceptedAtMs: UInt64

  /// What must not be overtaken if it is not stored.
  let round: SendingRound?

  private let epoch: UInt64
  private let isRepeat: Bool
  private let call: Call<V1.SendDataMessageReply>

  /// - Parameters:
  ///   - draft: The message as its sender wants it.
  ///   - epoch: The numbering of the log.
  ///   - place: Its place in there.
  ///   - isRepeat: Whether an earlier call gave it that.
  init(
    _ call: Call<V1.SendDataMessageReply>, _ draft: MessageDraft, to meeting: MeetingID,
    _ epoch: UInt64, at place: some Placed, isRepeat: Bool
  ) {
    (self.call, self.meeting, self.epoch, self.isRepeat) = (call, meeting, epoch, isRepeat)
    (sequence, acceptedAtMs, round) = (place.sequence, place.acceptedAtMs, draft.sendingRound)
  }

  /// It is stored.
  func accept() { call.reply(acceptance(epoch: epoch, isRepeat: isRepeat)) }

  /// It is not.
  func refuse(_ status: Status) { call.fail(status) }
}
