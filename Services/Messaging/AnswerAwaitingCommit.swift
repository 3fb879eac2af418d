import Bus
import MeetingModel
import Wire

/// An answer that waits for the disk.
enum AnswerAwaitingCommit {
  /// The answer to the sender of a message.
  case append(SendAnswerAwaitingCommit)
  /// Any other answer about a meeting. `finish` sends the answer, or refuses the request with a
  /// status.
  case other(MeetingID, finish: (Status?) -> Void)

  var meeting: MeetingID {
    switch self {
    case .append(let append): append.meeting
    case .other(let meeting, _): meeting
    }
  }
}

/// The answer to the sender of a message. The answer waits for the disk.
///
/// The service creates one value for each message. So the type contains no closures, and needs no
/// allocation of its own.
struct SendAnswerAwaitingCommit: Sequenced {
  let meeting: MeetingID
  let sequence: UInt64
  let acceptedAtMs: UInt64

  /// The sending round of the message. If the store fails to store the message, later messages of
  /// this round must not overtake the message.
  let round: PipelinedMessageRun?

  private let epoch: UInt64
  private let isRepeat: Bool
  private let call: Call<V1.SendDataMessageReply>

  /// - Parameters:
  ///   - draft: The message that the client sent.
  ///   - epoch: The log's epoch.
  ///   - place: The message's place in the log.
  ///   - isRepeat: Whether an earlier attempt to send the message got this place.
  init(
    _ call: Call<V1.SendDataMessageReply>, _ draft: MessageDraft, to meeting: MeetingID,
    _ epoch: UInt64, at place: some Sequenced, isRepeat: Bool
  ) {
    (self.call, self.meeting, self.epoch, self.isRepeat) = (call, meeting, epoch, isRepeat)
    (sequence, acceptedAtMs, round) = (place.sequence, place.acceptedAtMs, draft.sendingRound)
  }

  /// Confirms a stored message.
  func accept() { call.reply(acceptance(epoch: epoch, isRepeat: isRepeat)) }

  /// Refuses a message that the store could not store.
  func refuse(_ status: Status) { call.fail(status) }
}
