internal import Bus
internal import MeetingModel
internal import Wire
internal import ZeroMQ

/// One connection of a session, with the session stream, the keep-alives, and the report of the end
/// of the connection.
///
/// This object runs on the socket thread. It calls `onEnd` exactly once, because `onEnd` must close
/// the connection.
final class GatewayConnection {
  enum EndReason: Sendable {
    /// The gateway ended the session stream. The status is `ok` if the client requested the stop.
    case ended(Status)
    /// The gateway no longer answers, or no longer knows the session.
    case lost(String)
  }

  var onEvents: ((V1.SessionEvents) -> Void)?
  var onEnd: ((EndReason) -> Void)?

  /// Called after each answer to a keep-alive.
  var onKeepAlive: (() -> Void)?

  /// The client's positions in the streams, sent with each keep-alive.
  var positions: [V1.StreamPosition] = []

  /// The timer that ends the wait for the first item of the session stream.
  let startAlarm: ThreadTimer

  /// The mute state in the `Start` request of this connection.
  private(set) var declaredMuted = false

  /// The noise suppression in the `Start` request of this connection.
  private(set) var declaredVoiceFocus = false

  /// The languages in the `Start` request of this connection.
  private(set) var declaredLanguages = TranscriptLanguages.Choice()
  private(set) var hasStarted = false

  private let thread: SocketThread
  private let channel: RequestChannel
  let gateway: AudioVideoFacadeClient
  private var sessionID: [UInt8] = []
  private var interval = Duration.seconds(1)
  private var receivedBytes: UInt64 = 0
  private var unanswered = 0
  private let keepAliveAlarm: ThreadTimer
  private var isClosed = false

  /// The maximum number of unanswered keep-alives. If more keep-alives have no answer, the client
  /// treats the connection as lost.
  private static let mostUnanswered = 3

  init(to endpoint: Endpoint, in context: ZMQContext, on thread: SocketThread) throws {
    self.thread = thread
    (keepAliveAlarm, startAlarm) = (ThreadTimer(on: thread), ThreadTimer(on: thread))
    channel = try RequestChannel(to: endpoint, in: context, on: thread)
    gateway = AudioVideoFacadeClient(channel)
  }

  /// Whether the gateway may have received the `Start` request.
  var hasAsked: Bool { channel.isConnected }

  /// Opens the session stream.
  func start(_ request: V1.StartRequest) {
    declaredMuted = request.isMuted
    declaredVoiceFocus = request.isVoiceFocusEnabled
    declaredLanguages = TranscriptLanguages.Choice(
      view: request.transcriptLanguage, spoken: request.spokenLanguage)
    channel.openSession(
      V1.AudioVideoFacadeMethods.start, request, CallOptions(timeout: .seconds(30)),
      onItem: { [weak self] events, size in
        guard let self, !isClosed else { return }
        receivedBytes += UInt64(size)
        onEvents?(events)
      },
      onEnd: { [weak self] status in
        guard let self else { return }
        finish(.ended(status ?? Status(.ok, "The session ended.")))
      })
  }

  /// Starts the keep-alives of the open session.
  func begin(_ started: V1.SessionStarted) {
    hasStarted = true
    sessionID = started.sessionID
    interval = .milliseconds(Int64(max(100, started.keepAliveMs)))
    armKeepAlive()
  }

  /// Sends the client's mute. `then` receives true if the client need not retry the call.
  func setMuted(_ isMuted: Bool, then: @escaping (Bool) -> Void) {
    gateway.setMuted(V1.SetMutedRequest(isMuted: isMuted), options: options) { result in
      switch result {
      case .success: then(true)
      // `failedPrecondition` means that an operator has muted the attendee. The client need not
      // retry, because the roster also reports the operator's mute.
      case .failure(let status): then(status.code == .failedPrecondition)
      }
    }
  }

  /// Requests noise suppression. `then` receives the resulting state, or `nil` if the call failed.
  func setVoiceFocus(_ isEnabled: Bool, then: @escaping (Bool?) -> Void) {
    gateway.setVoiceFocus(V1.SetVoiceFocusRequest(isEnabled: isEnabled), options: options) {
      then(try? $0.get().isEnabled)
    }
  }

  /// Sends the chosen languages. `then` receives true if the client need not retry the call.
  func setTranscriptLanguages(
    _ choice: TranscriptLanguages.Choice, then: @escaping (Bool) -> Void
  ) {
    let request = V1.SetTranscriptLanguagesRequest(
      session: V1.TranscriptSession(viewLanguage: choice.view, spokenLanguage: choice.spoken))
    gateway.setTranscriptLanguages(request, options: options) { result in
      switch result {
      case .success: then(true)
      // If the server rejected the call permanently or does not support the call, a retry does not
      // help.
      case .failure(let status): then(!status.isWorthRepeating)
      }
    }
  }

  /// Sends a data message.
  ///
  /// - Parameter key: The key that identifies the message in every retry, on this connection or
  ///   another connection.
  func send(
    _ message: OutgoingMessage, key: String,
    then: @escaping (Result<V1.SendDataMessageReply, Status>) -> Void
  ) {
    let request = V1.SendDataMessageRequest(
      topic: message.topic, data: message.data, lifetimeMs: message.lifetimeMs,
      recipients: message.recipients)
    let options = CallOptions(
      timeout: Self.messageTime, sessionID: sessionID, idempotencyKey: key)
    gateway.sendDataMessage(request, options: options, then: then)
  }

  /// How long the server may take to store a data message. After this time, the client sends the
  /// message again.
  private static let messageTime = Duration.seconds(5)

  /// Asks the gateway to end the session.
  func stop() {
    gateway.stop(V1.StopRequest(), options: options) { [weak self] result in
      if case .failure = result { self?.finish(.lost("the leave was not answered")) }
    }
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    keepAliveAlarm.cancel()
    startAlarm.cancel()
    (onEvents, onEnd, onKeepAlive) = (nil, nil, nil)
    channel.close()
  }

  /// The options of a call that the gateway must answer within 3 s. The client retries an
  /// unanswered call.
  var options: CallOptions { CallOptions(timeout: .seconds(3), sessionID: sessionID) }

  private func armKeepAlive() {
    keepAliveAlarm.set(after: interval) { [weak self] in self?.keepAlive() }
  }

  private func keepAlive() {
    guard unanswered < Self.mostUnanswered else {
      return finish(.lost("keep-alives stay unanswered"))
    }
    unanswered += 1
    armKeepAlive()
    let request = V1.KeepAliveRequest(receivedBytes: receivedBytes, positions: positions)
    let options = CallOptions(timeout: interval * Self.mostUnanswered, sessionID: sessionID)
    gateway.keepAlive(request, options: options) { [weak self] result in
      guard let self, !isClosed else { return }
      switch result {
      case .success:
        unanswered = 0
        onKeepAlive?()
      case .failure(let status) where status.code == .unauthenticated:
        finish(.lost("the gateway does not know the session"))
      case .failure:
        break
      }
    }
  }

  private func finish(_ end: EndReason) {
    guard !isClosed, let onEnd else { return }
    onEnd(end)
  }
}
