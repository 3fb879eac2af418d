internal import Bus
internal import MeetingModel
internal import Wire
internal import ZeroMQ

/// One connection of a session: its stream, its keep-alives, and the word when it is gone.
///
/// Lives on the socket thread. Whatever happens, `onEnd` comes exactly once.
final class GatewayLink {
  enum End: Sendable {
    /// The gateway ended the session stream; ok when it was asked to.
    case ended(Status)
    /// Nothing is heard any more.
    case lost(String)
  }

  var onEvents: ((V1.SessionEvents) -> Void)?
  var onEnd: ((End) -> Void)?

  /// Called after each keep-alive that was answered.
  var onKeepAlive: (() -> Void)?

  /// How far the client has come, told with each keep-alive.
  var positions: [V1.StreamPosition] = []

  /// Ends the wait for the first item.
  let startAlarm: Alarm

  /// What the Start said of the mute.
  private(set) var declaredMuted = false

  /// What the Start said of noise suppression.
  private(set) var declaredVoiceFocus = false

  /// What the Start said of languages.
  private(set) var declaredLanguages = TranscriptLanguages.Choice()
  private(set) var hasStarted = false

  private let thread: SocketThread
  private let channel: RequestChannel
  let gateway: AudioVideoFacadeClient
  private var sessionID: [UInt8] = []
  private var interval = Duration.seconds(1)
  private var receivedBytes: UInt64 = 0
  private var unanswered = 0
  private let keepAliveAlarm: Alarm
  private var isClosed = false

  /// Keep-alives that may stay unanswered.
  private static let mostUnanswered = 3

  init(to endpoint: Endpoint, in context: Context, on thread: SocketThread) throws {
    self.thread = thread
    (keepAliveAlarm, startAlarm) = (Alarm(on: thread), Alarm(on: thread))
    channel = try RequestChannel(to: endpoint, in: context, on: thread)
    gateway = AudioVideoFacadeClient(channel)
  }

  /// Whether the gateway may have got the Start.
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

  /// The session is open: keep-alives begin.
  func begin(_ started: V1.SessionStarted) {
    hasStarted = true
    sessionID = started.sessionID
    interval = .milliseconds(Int64(max(100, started.keepAliveMs)))
    armKeepAlive()
  }

  /// Says what the client wants of its mute; answers whether the gateway took it.
  func setMuted(_ isMuted: Bool, then: @escaping (Bool) -> Void) {
    gateway.setMuted(V1.SetMutedRequest(isMuted: isMuted), options: options) { result in
      switch result {
      case .success: then(true)
      // Refused for good: an operator's mute. The roster says so too.
      case .failure(let status): then(status.code == .failedPrecondition)
      }
    }
  }

  /// Asks for noise suppression; answers how it is then, or `nil` if that could not be changed now.
  func setVoiceFocus(_ isEnabled: Bool, then: @escaping (Bool?) -> Void) {
    gateway.setVoiceFocus(V1.SetVoiceFocusRequest(isEnabled: isEnabled), options: options) {
      then(try? $0.get().isEnabled)
    }
  }

  /// Says which languages are chosen; answers whether the gateway took it.
  func setTranscriptLanguages(
    _ choice: TranscriptLanguages.Choice, then: @escaping (Bool) -> Void
  ) {
    let request = V1.SetTranscriptLanguagesRequest(
      session: V1.TranscriptSession(viewLanguage: choice.view, spokenLanguage: choice.spoken))
    gateway.setTranscriptLanguages(request, options: options) { result in
      switch result {
      case .success: then(true)
      // Refused for good, or not served: saying it again does not help.
      case .failure(let status): then(!status.isWorthRepeating)
      }
    }
  }

  /// Sends a data message.
  ///
  /// - Parameter key: Says that a repeat, on this connection or another one, is the same message.
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

  /// How long a data message may take to be stored before it is sent again.
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

  /// The options of a call that is answered soon, or repeated.
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

  private func finish(_ end: End) {
    guard !isClosed, let onEnd else { return }
    onEnd(end)
  }
}
