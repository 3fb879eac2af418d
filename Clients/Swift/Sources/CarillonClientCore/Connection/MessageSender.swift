internal import MeetingModel
internal import Wire
internal import ZeroMQ

/// Sends each message of an outbox to the gateway. The server stores each message once, even if the
/// client loses connections or `messaging` is temporarily unavailable.
///
/// Runs on the socket thread.
final class MessageSender: SessionComponent {
  /// Called with a message of this session that the server throttled, or that the client did not
  /// send because the queue was full.
  var onThrottled: ((OutgoingMessage, V1.Throttled) -> Void)?

  /// Called when the server has answered the last unanswered message.
  var onIdle: (() -> Void)?

  /// Whether the server has answered every message.
  var isIdle: Bool { outbox.withQueue { $0.isEmpty } }

  private let outbox: MessageOutbox
  private let logger: SessionLogger
  private var link: GatewayConnection?
  private var backoff = Backoff()
  private let pause: ThreadTimer
  private let thread: SocketThread

  init(of outbox: MessageOutbox, on thread: SocketThread, logger: SessionLogger) {
    self.outbox = outbox
    (self.thread, pause) = (thread, ThreadTimer(on: thread))
    self.logger = logger
  }

  /// Sends the unanswered messages again on a new connection. Then sends the messages that the
  /// client has not sent yet.
  func begin(_ started: V1.SessionStarted, on link: GatewayConnection) {
    self.link = link
    backoff = Backoff()
    sendWaiting()
  }

  func connectionWasLost() {
    link = nil
    pause.cancel()
    outbox.withQueue { $0.connectionWasLost() }
  }

  /// Closes the sender. Returns the unsent messages to the application, and reports the unanswered
  /// messages as unconfirmed.
  func close() {
    link = nil
    pause.cancel()
    let left = outbox.close()
    let unconfirmed = left.answerless.count { $0.wasSent }
    if unconfirmed > 0 {
      logger.error("\(unconfirmed) data messages: the session ended before their answer.")
    }
    for entry in left.answerless {
      entry.message.then?(.failure(entry.wasSent ? .unconfirmed : .notSent))
    }
    giveBack(left.answerless.filter { !$0.wasSent }.map(\.message) + left.returned)
    (onThrottled, onIdle) = (nil, nil)
  }

  /// Sends waiting messages until the maximum number of messages is in flight.
  func sendWaiting() {
    guard let link else { return }
    let now = thread.now
    for message in outbox.withQueue({ $0.takeOverdue(at: now) }) {
      logger.error("A data message was dropped: it could not be confirmed for too long.")
      message.then?(.failure(.unconfirmed))
    }
    giveBack(outbox.withQueue { $0.takeReturned() })
    while link === self.link, let entry = outbox.withQueue({ $0.next(at: now) }) {
      let key = outbox.idempotencyKey(of: entry)
      link.send(entry.message, key: key) { [weak self, weak link] result in
        guard let self, let link, link === self.link else { return }
        take(result, for: entry.number)
      }
    }
  }

  private func giveBack(_ messages: [OutgoingMessage]) {
    for message in messages {
      onThrottled?(message, V1.Throttled(retryAfterMs: Self.pauseMs))
    }
  }

  /// If the queue is full, the client returns a message to the application. This value is the
  /// delay, in milliseconds, before the application may send the returned message again. During
  /// this delay, the meeting's rate limit permits as many messages as the client has in flight.
  private static let pauseMs: UInt32 = 500

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
    guard !pause.isSet else { return }
    pause.set(after: backoff.delay()) { [weak self] in
      guard let self else { return }
      outbox.withQueue { $0.release() }
      sendWaiting()
    }
  }
}
