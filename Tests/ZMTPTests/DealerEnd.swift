import Dispatch
import Trials
import ZMTP

/// A DEALER that uses `ZMTPConnection` on a bare socket and sends one request at a time.
final class DealerEnd {
  private let socket: LocalSocket
  private var connection: ZMTPConnection

  struct NoAnswer: Error {}

  init(
    on socket: LocalSocket, security: ZMTPSecurity, identity: [UInt8] = []
  ) throws {
    self.socket = socket
    socket.limitWaits(toSeconds: 10)
    connection = ZMTPConnection(.dealer, identity: identity, security: security)
    while connection.peer == nil {
      try socket.send(connection.takeOutput())
      _ = try receive()
    }
    try socket.send(connection.takeOutput())
  }

  var peer: ZMTPConnection.Peer? { connection.peer }

  /// Sends a message, and waits for the answer.
  func exchange(_ message: [[UInt8]]) throws -> [[UInt8]] {
    var bytes = connection.takeOutput()
    for (index, frame) in message.enumerated() {
      connection.append(frame.span, isLast: index + 1 == message.count, to: &bytes)
    }
    try socket.send(bytes)
    var answer: [[UInt8]] = []
    var isWhole = false
    while !isWhole {
      let frames = try receive()
      answer += frames.map(\.bytes)
      isWhole = frames.last?.isLast ?? false
      try socket.send(connection.takeOutput())
    }
    return answer
  }

  private func receive() throws -> [(bytes: [UInt8], isLast: Bool)] {
    let bytes = socket.receive()
    guard !bytes.isEmpty else { throw NoAnswer() }
    var frames: [(bytes: [UInt8], isLast: Bool)] = []
    try connection.receive(bytes.span) { frame, isLast in
      frames.append((frame.indices.map { frame[$0] }, isLast))
    }
    return frames
  }
}
