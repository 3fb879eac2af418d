internal import Synchronization

/// The link of a session to its gateway over ZeroMQ.
final class ZeroMQSessionConnection: SessionConnection {
  private let logger: SessionLog
  private let mute = MuteGate()
  private let current = Mutex<SessionClient?>(nil)

  init(logger: SessionLog) { self.logger = logger }

  deinit {
    current.withLock { $0.take() }?.leave()
  }

  func start(_ request: SessionStart, delegate: any SessionConnectionDelegate) {
    let client: SessionClient
    do {
      client = SessionClient(
        request, delegate: delegate, mute: mute, runtime: try ClientRuntime.current(),
        logger: logger)
    } catch {
      logger.error("No session can be opened: \(error)")
      return delegate.connectionDidChange(.failedToConnect, status: .audioServiceUnavailable)
    }
    mute.open()
    let previous = current.withLock { current in
      defer { current = client }
      return current
    }
    client.begin(after: previous)
  }

  func stop() {
    mute.close()
    current.withLock { $0 }?.leave()
  }

  func setMuted(_ isMuted: Bool) -> Bool {
    guard mute.set(isMuted) else { return false }
    current.withLock { $0 }?.muteDidChange()
    return true
  }

  func send(_ message: OutgoingMessage) {
    guard let client = current.withLock({ $0 }) else {
      logger.error("A data message was dropped: no session could be opened.")
      message.then?(.failure(.notSent))
      return
    }
    client.send(message)
  }

  func want(_ wish: VideoWish) {
    guard let client = current.withLock({ $0 }) else {
      return logger.error("Nothing is done about video: no session could be opened.")
    }
    client.want(wish)
  }
}
