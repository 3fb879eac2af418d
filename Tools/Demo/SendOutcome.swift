internal import MeetingViews
internal import CarillonClient
internal import Output

/// The outcome of sending a data message of the demo.
enum SendOutcome: Hashable, Sendable {
  case accepted(DataMessageWithPosition)
  case throttled(text: String, retryAfterMs: Int)
  case failed(CommandFailure)

  init(_ result: Result<DataMessageReceipt, DataMessageFailure>, _ text: String) {
    switch result {
    case .success(let receipt):
      self = .accepted(DataMessageWithPosition(sequence: receipt.sequence, data: Array(text.utf8)))
    case .failure(.throttled(let waitMs)): self = .throttled(text: text, retryAfterMs: waitMs)
    case .failure(let failure): self = .failed(CommandFailure(sending: failure))
    }
  }
}
