import Foundation
import Glibc
import Synchronization
import ZMTP

/// Listens at a Unix socket, and sends each message back to who sent it, one connection at a time.
final class EchoEnd: Sendable {
  private struct State {
    var peer: ZMTPConnection.Peer?
    var failure: ZMTPError?
    var connections = 0
    var isStopping = false
  }

  private let listener: CInt
  private let limits: ZMTPLimits
  private let state = Mutex(State())
  private let hasEnded = DispatchSemaphore(value: 0)

  struct NoSocket: Error {}

  init(at path: String, limits: ZMTPLimits) throws {
    listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
    self.limits = limits
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isBound, listen(listener, 8) == 0 else { throw NoSocket() }
    Thread.detachNewThread { [self] in serve() }
  }

  /// Who was there last.
  var peer: ZMTPConnection.Peer? { state.withLock { $0.peer } }

  /// Why the last connection was ended, if it was ended here.
  var failure: ZMTPError? { state.withLock { $0.failure } }

  /// How many connections there have been.
  var connections: Int { state.withLock { $0.connections } }

  /// Returns when nothing of it runs any more.
  func stop() {
    state.withLock { $0.isStopping = true }
    shutdown(listener, CInt(SHUT_RDWR))
    hasEnded.wait()
    close(listener)
  }

  private var isStopping: Bool { state.withLock { $0.isStopping } }

  private func serve() {
    while !isStopping {
      let descriptor = accept(listener, nil, nil)
      guard descriptor >= 0 else { break }
      state.withLock { $0.connections += 1 }
      speak(on: descriptor)
      close(descriptor)
    }
    hasEnded.signal()
  }

  private func speak(on descriptor: CInt) {
    var connection = ZMTPConnection(.router, limits: limits)
    send(connection.takeOutput(), to: descriptor)
    var room = [UInt8](repeating: 0, count: 4_096)
    while !isStopping {
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&wait, 1, 50) > 0 else { continue }
      let count = read(descriptor, &room, room.count)
      guard count > 0 else { return }
      var answer: [UInt8] = []
      do throws(ZMTPError) {
        try connection.receive(room.span.extracting(0..<count)) { frame, isLast in
          ZMTPFrame.append(frame, isLast: isLast, to: &answer)
        }
      } catch {
        return state.withLock { $0.failure = error }
      }
      let peer = connection.peer
      state.withLock { $0.peer = peer }
      send(connection.takeOutput() + answer, to: descriptor)
    }
  }

  private func send(_ bytes: [UInt8], to descriptor: CInt) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
