import Foundation
import Synchronization
public import Trials
public import ZMTP

/// A ROUTER that runs `ZMTPConnection` on bare sockets. The ROUTER sends each message back to its
/// sender, and serves one connection at a time.
public final class EchoEnd: Sendable {
  private struct State {
    var peer: ZMTPConnection.Peer?
    var failure: ZMTPError?
    var connections = 0
    var heartbeats = 0
    var current: LocalSocket?
    var isStopping = false
  }

  private let listener: LocalSocket
  private let security: ZMTPSecurity
  private let limits: ZMTPLimits
  private let onEnd: @Sendable (ZMTPError?) -> Void
  private let state = Mutex(State())
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Starts serving.
  ///
  /// - Parameter onEnd: Called after each connection, with the error if this end closed the
  ///   connection.
  public init(
    at listener: LocalSocket, security: ZMTPSecurity = .null, limits: ZMTPLimits = ZMTPLimits(),
    onEnd: @escaping @Sendable (ZMTPError?) -> Void = { _ in }
  ) {
    self.listener = listener
    self.security = security
    self.limits = limits
    self.onEnd = onEnd
    Thread.detachNewThread { [self] in serve() }
  }

  /// The peer of the last connection.
  public var peer: ZMTPConnection.Peer? { state.withLock { $0.peer } }

  /// The error of the last connection that this end closed.
  public var failure: ZMTPError? { state.withLock { $0.failure } }

  /// The number of answers to bytes that contain no message: heartbeats and handshakes.
  public var heartbeats: Int { state.withLock { $0.heartbeats } }

  /// The number of connections so far.
  public var connections: Int { state.withLock { $0.connections } }

  /// Stops serving, and waits until the serving thread has ended.
  public func stop() {
    state.withLock { state in
      state.isStopping = true
      state.current?.shutDown()
    }
    listener.shutDown()
    hasEnded.wait()
  }

  private func serve() {
    while let socket = listener.accept() {
      let isStopping = state.withLock { state in
        state.connections += 1
        state.current = socket
        return state.isStopping
      }
      guard !isStopping else { break }
      let failure = speak(on: socket)
      state.withLock { state in
        state.current = nil
        state.failure = failure ?? state.failure
      }
      onEnd(failure)
    }
    hasEnded.signal()
  }

  private func speak(on socket: LocalSocket) -> ZMTPError? {
    var connection = ZMTPConnection(.router, security: security, limits: limits)
    var output = connection.takeOutput()
    while true {
      // The next read detects a closed connection, so this code ignores a failure to send.
      try? socket.send(output)
      let bytes = socket.receive()
      guard !bytes.isEmpty else { return nil }
      var frames: [(bytes: [UInt8], isLast: Bool)] = []
      do throws(ZMTPError) {
        try connection.receive(bytes.span) { frame, isLast in
          frames.append((frame.indices.map { frame[$0] }, isLast))
        }
      } catch {
        try? socket.send(connection.takeOutput())
        return error
      }
      if let peer = connection.peer { state.withLock { $0.peer = peer } }
      output = connection.takeOutput()
      if frames.isEmpty, !output.isEmpty { state.withLock { $0.heartbeats += 1 } }
      for (bytes, isLast) in frames {
        connection.append(bytes.span, isLast: isLast, to: &output)
      }
    }
  }
}
