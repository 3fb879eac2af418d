internal import ZMTP
internal import ZeroMQ

// Accepts connections, up to the limits of the listener.
extension ClientListener {
  private static let acceptedPerTurn = 64

  func acceptWaiting(at socket: ListeningSocket) {
    for _ in 0..<Self.acceptedPerTurn {
      guard hasRoom else { return pauseAccepting() }
      switch socket.accept() {
      case .nobody: return
      case .failed:
        onChange(.acceptFailed)
        isOutOfFiles = true
        return pauseAccepting()
      case .connection(let descriptor, let address):
        welcome(
          descriptor, address.remoteHost, secured: socket.isRemote ? options.security : .null)
      }
    }
  }

  private var hasRoom: Bool {
    connections.count + leaving.count < mostConnections && handshakes.count < options.handshakes
  }

  private func welcome(_ descriptor: Int32, _ host: [UInt8]?, secured security: ZMTPSecurity) {
    if let host {
      guard perHost[host, default: 0] < options.connectionsPerAddress else {
        onChange(.crowdedOut)
        return ListeningSocket.close(descriptor)
      }
      perHost[host, default: 0] += 1
    }
    if let size = options.sendBuffer { ListeningSocket.bufferAtMost(size, of: descriptor) }
    if let size = options.unsent { ListeningSocket.limitUnsent(to: size, of: descriptor) }
    lastNumber += 1
    let connection = ListenerPeerConnection(
      lastNumber, descriptor, from: host, security: security, limits: options.limits,
      now: thread.now)
    guard (try? epoll.add(descriptor, lastNumber, .read)) != nil else {
      onChange(.acceptFailed)
      return ListeningSocket.close(descriptor)
    }
    connections[lastNumber] = connection
    handshakes.insert(connection.number)
    onChange(.accepted)
    connection.queueOutput()
    markDirty(connection)
    armSweep()
  }

  private func pauseAccepting() {
    guard !isFull else { return }
    isFull = true
    onChange(.acceptPaused)
    for (number, socket) in listening.enumerated() {
      epoll.modify(socket.descriptor, UInt64(number), [])
    }
    armSweep()
  }

  func acceptAgain() {
    guard isFull, hasRoom, !isOutOfFiles else { return }
    isFull = false
    for (number, socket) in listening.enumerated() {
      epoll.modify(socket.descriptor, UInt64(number), .read)
    }
  }

  func forget(_ host: [UInt8]) {
    let left = perHost[host, default: 1] - 1
    perHost[host] = left == 0 ? nil : left
  }
}
