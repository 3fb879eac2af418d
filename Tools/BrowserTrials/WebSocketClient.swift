package import LocalInstallation
internal import ZeroMQ

/// A client of one WebSocket (RFC 6455) over plain TCP or a Unix socket.
///
/// The client has its own thread, which the client's calls may block.
package actor WebSocketClient {
  private let thread = SocketThread(name: "websocket")
  private var socket: DeadlineStreamSocket?
  private var received: [UInt8] = []
  private var fragments: [UInt8] = []

  /// The nonce from RFC 6455, §1.3.
  ///
  /// A fixed nonce suffices: nonces guard against caching proxies, and no proxy is between this
  /// client and the server.
  private static let nonce = "dGhlIHNhbXBsZSBub25jZQ=="

  /// The server's answer to ``nonce`` (RFC 6455, §1.3).
  private static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

  private static let largestHead = 65_536

  /// The maximum size of a message, in bytes.
  private static let largest = 4_194_304

  package init() {}

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  /// Connects, and upgrades the connection.
  ///
  /// - Parameters:
  ///   - path: The path with its query.
  ///   - protocols: Sub-protocols to offer. The server must choose the first sub-protocol.
  /// - Throws: ``HTTPError``, for example if the server does not upgrade the connection.
  package func open(
    _ address: HTTPAddress, path: String, protocols: [String], within limit: Duration
  ) throws(HTTPError) {
    let deadline = ContinuousClock.now + limit
    let socket = try DeadlineStreamSocket(connectingTo: address, deadline: deadline)
    let head = [
      "GET \(path) HTTP/1.1", "Host: \(address.host)", "Upgrade: websocket",
      "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: \(Self.nonce)",
      "Sec-WebSocket-Protocol: \(protocols.joined(separator: ", "))", "", "",
    ]
    try socket.send(Array(head.joined(separator: "\r\n").utf8), deadline: deadline)
    self.socket = consume socket
    try checkUpgrade(try readHead(deadline), protocols.first ?? "")
  }

  /// Sends a binary message.
  package func send(_ message: [UInt8], within limit: Duration) throws(HTTPError) {
    try write(0x2, message, ContinuousClock.now + limit)
  }

  /// Waits for the next complete message, and answers pings during this wait.
  ///
  /// - Returns: The message; `nil` if no message arrived before the timeout.
  /// - Throws: ``HTTPError/connectionLost`` when the server has closed the connection.
  package func receive(within limit: Duration) throws(HTTPError) -> [UInt8]? {
    let deadline = ContinuousClock.now + limit
    while true {
      while let frame = try takeFrame() {
        switch frame.opcode {
        case 0x0, 0x2:
          fragments += frame.payload
          guard fragments.count <= Self.largest else { throw .malformed("it is too long") }
          guard frame.isFinal else { continue }
          defer { fragments = [] }
          return fragments
        case 0x8: throw .connectionLost
        case 0x9: try write(0xA, frame.payload, deadline)
        default: continue
        }
      }
      do throws(HTTPError) { try readMore(deadline) } catch {
        if error == .timedOut { return nil }
        throw error
      }
    }
  }

  /// Closes the connection. Make no other call after this call.
  package func close() {
    if socket != nil { try? write(0x8, [0x03, 0xE8], ContinuousClock.now + .seconds(1)) }
    socket = nil
    thread.stop()
  }

  // MARK: - The upgrade

  private func readHead(_ deadline: ContinuousClock.Instant) throws(HTTPError) -> String {
    while true {
      if let end = received.firstRange(of: Array("\r\n\r\n".utf8)) {
        let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
        received.removeFirst(end.upperBound)
        return head
      }
      guard received.count < Self.largestHead else { throw .malformed("it is too long") }
      try readMore(deadline)
    }
  }

  private func checkUpgrade(_ head: String, _ chosen: String) throws(HTTPError) {
    let lines = head.split(separator: "\r\n").map { String($0) }
    guard let status = lines.first, status.hasPrefix("HTTP/1.1 101") else {
      throw .malformed("it does not upgrade: \(lines.first ?? "")")
    }
    func value(_ name: String) -> String? {
      lines.lazy.compactMap { line -> String? in
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == name else { return nil }
        return String(parts[1].drop { $0 == " " })
      }.first
    }
    guard value("sec-websocket-accept") == Self.accept else {
      throw .malformed("it is another upgrade's")
    }
    guard value("sec-websocket-protocol") == chosen else {
      throw .malformed("it chooses no sub-protocol of ours")
    }
  }

  // MARK: - Frames

  private struct Frame {
    let isFinal: Bool
    let opcode: UInt8
    let payload: [UInt8]
  }

  /// Removes and returns the first frame of the received bytes, if the frame is complete.
  private func takeFrame() throws(HTTPError) -> Frame? {
    guard received.count >= 2 else { return nil }
    let short = Int(received[1] & 0x7F)
    let width = short == 126 ? 2 : short == 127 ? 8 : 0
    guard received.count >= 2 + width else { return nil }
    let length =
      width == 0
      ? short : received[2..<2 + width].reduce(0) { ($0 & Int.max >> 8) << 8 | Int($1) }
    guard length <= Self.largest, received[1] & 0x80 == 0 else {
      throw .malformed("it is no frame of a server")
    }
    let end = 2 + width + length
    guard received.count >= end else { return nil }
    let frame = Frame(
      isFinal: received[0] & 0x80 != 0, opcode: received[0] & 0x0F,
      payload: Array(received[2 + width..<end]))
    received.removeFirst(end)
    return frame
  }

  private func write(
    _ opcode: UInt8, _ payload: [UInt8], _ deadline: ContinuousClock.Instant
  ) throws(HTTPError) {
    guard socket != nil else { throw .connectionLost }
    var bytes: [UInt8] = [0x80 | opcode]
    let mask = (0..<4).map { _ in UInt8.random(in: .min ... .max) }
    let width = payload.count < 126 ? 0 : payload.count < 65_536 ? 2 : 8
    bytes.append(0x80 | UInt8(width == 0 ? payload.count : width == 2 ? 126 : 127))
    for place in stride(from: width - 1, through: 0, by: -1) {
      bytes.append(UInt8(truncatingIfNeeded: payload.count >> (8 * place)))
    }
    bytes += mask
    for (index, byte) in payload.enumerated() { bytes.append(byte ^ mask[index % 4]) }
    try socket?.send(bytes, deadline: deadline)
  }

  private func readMore(_ deadline: ContinuousClock.Instant) throws(HTTPError) {
    guard let more = try socket?.receive(deadline: deadline) else { throw .connectionLost }
    received += more
  }
}
