internal import MeetingModel
internal import Wire
internal import ZeroMQ

/// Gets the messages of an outbox to the gateway, each once, through lost connections and a
/// messaging service that is away for a while.
///
/// Lives on the socket thread.
final class MessageSender {
  /// An own message came back: refused by the meeting's limit.
  var onThrottled: ((OutgoingMessage, V1.Throttled) -> Void)?

  /// Called after an answer that was the last one due.
  var onIdle: (() -> Void)?

  /// Whether every message was answered.
  var isIdle: Bool { outbox.withQueue { $0.isEmpty } }

  private let outbox: MessageOutbox
  private let thread: SocketThread
  private let logger: SessionLog
  private var link: GatewayLink?
  private var backoff = Backoff()
  private var pause: TimerID?

  init(of outbox: MessageOutbox, on thread: SocketThread, logger: SessionLog) {
    self.outbox = outbox
    self.thread = thread
    self.logger = logger
  }

  /// The session is open on this connection: what was not answered goes out again, then the rest.
  func begin(on link: GatewayLink) {
    self.link = link
    backoff = Backoff()
    sendWaiting()
  }

  func connectionWasLost() {
    link = nil
    endPause()
    outbox.withQueue { $0.connectionWasLost() }
  }

  /// The session is over; what is left gets nowhere.
  func close() {
    link = nil
    endPause()
    (onThrottled, onIdle) = (nil, nil)
    let left = outbox.close()
    guard !left.isEmpty else { return }
    logger.error("\(left.count) data messages were dropped: the session ended before their answer.")
    for entry in left { entry.message.then?(.failure(entry.wasSent ? .unconfirmed : .notSent)) }
  }

  /// Sends what may be sent now.
  func sendWaiting() {
    guard let link else { return }
    let now = thread.now
    for message in outbox.withQueue({ $0.takeOverdue(at: now) }) {
      logger.error("A data message was dropped: it could not be confirmed for too long.")
      message.then?(.failure(.unconfirmed))
    }
    while link === self.link, let entry = outbox.withQueue({ $0.next(at: now) }) {
      let key = outbox.idempotencyKey(of: entry)
      link.send(entry.message, key: key) { [weak self, weak link] result in
        guard let self, let link, link === self.link else { return }
        take(result, for: entry.number)
      }
    }
  }

  // MARK: Answers

  private func take(_ result: Result<V1.SendDataMessageReply, Status>, for number: UInt64) {
    switch result {
    case .success(let reply):
      backoff = Backoff()
      settle(number, as: reply.outcome)
    case .failure(let status) where status.isWorthRepeating:
      outbox.withQueue { $0.postpone(number) }
      beginPause()
    case .failure(let status):
      refuse(number, because: status.description)
    }
    sendWaiting()
    if isIdle { onIdle?() }
  }

  private func settle(_ number: UInt64, as outcome: V1.SendDataMessageReply.Outcome?) {
    switch outcome {
    case .accepted(let place):
      let receipt = DataMessageReceipt(
        sequence: place.sequence, messageId: place.messageID,
        timestampMs: Int64(clamping: place.timestampMs))
      outbox.withQueue { $0.settle(number) }?.then?(.success(receipt))
    case .throttled(let throttled):
      guard let message = outbox.withQueue({ $0.settle(number) }) else { return }
      message.then?(.failure(.throttled(retryAfterMs: Int(throttled.retryAfterMs))))
      onThrottled?(message, throttled)
    case nil:
      refuse(number, because: "The gateway's answer is of a kind this version does not know.")
    }
  }

  private func refuse(_ number: UInt64, because why: String) {
    logger.error("A data message was dropped: \(why)")
    outbox.withQueue { $0.settle(number) }?.then?(.failure(.refused(why)))
  }

  // MARK: Pauses

  private func beginPause() {
    guard pause == nil else { return }
    pause = thread.schedule(after: backoff.delay()) { [weak self] in
      guard let self else { return }
      pause = nil
      outbox.withQueue { $0.release() }
      sendWaiting()
    }
  }

  private func endPause() {
    if let pause { thread.cancel(pause) }
    pause = nil
  }
}
