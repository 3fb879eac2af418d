import Glibc
import Wire
import ZeroMQ

/// A browser's WebSocket (RFC 6455) to a gateway. The messages of the WebSocket are frames of the
/// signaling protocol. Only the code on the ``SocketThread`` uses this object.
final class SignalingSocket {
  typealias Frame = Signaling.SdkSignalFrame

  /// Called after the gateway has upgraded the connection.
  var onOpen: () -> Void = {}

  /// Called for each frame from the gateway, while ``isListening`` is `true`.
  var onFrame: (Frame) -> Void = { _ in }

  /// Whether the object decodes frames from the gateway. If this value is `false`, the object drops
  /// these frames.
  var isListening = true

  /// Whether the gateway or this side has closed the connection.
  private(set) var isClosed = false

  private let thread: SocketThread
  private let descriptor: Int32
  private var watch: PollWatchID?
  private var isUpgraded = false
  private var received: [UInt8] = []
  private var room = [UInt8](repeating: 0, count: 65_536)

  /// The first byte of each message from the client, and of each message from the gateway.
  private static let markers = (client: UInt8(5), gateway: UInt8(2))

  /// Connects to the gateway's port on loopback, and requests the upgrade.
  init(port: Int, meeting: String, token: String, on thread: SocketThread) throws {
    self.thread = thread
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw BenchError.missing("A TCP socket") }
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = UInt16(port).bigEndian
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    guard code == 0 else { throw BenchError.missing("The gateway's port \(port)") }
    var isOn: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    watch = thread.watch(fileDescriptor: descriptor) { [unowned self] in receive() }
    let path = "/control/\(meeting)?X-Chime-Control-Protocol-Version=3"
    let head = [
      "GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Upgrade: websocket",
      "Connection: Upgrade", "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "Sec-WebSocket-Protocol: _aws_wt_session, \(token)", "", "",
    ]
    write(Array(head.joined(separator: "\r\n").utf8))
  }

  deinit { Glibc.close(descriptor) }

  func close() {
    if let watch { thread.unwatch(watch) }
    watch = nil
    shutdown(descriptor, Int32(SHUT_RDWR))
    isClosed = true
  }

  /// Sends a frame with the current time.
  func send(_ kind: Frame.Kind, _ fill: (inout Frame) -> Void) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    var frame = Frame(
      timestampMs: UInt64(now.tv_sec) * 1_000 + UInt64(now.tv_nsec / 1_000_000), type: kind)
    fill(&frame)
    let payload = [Self.markers.client] + frame.packed()
    // The message consists of one binary WebSocket frame. The mask contains only zeros, so the
    // payload remains unchanged.
    var message: [UInt8] = [0x82]
    if payload.count < 126 {
      message.append(0x80 | UInt8(payload.count))
    } else {
      message += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    }
    write(message + [0, 0, 0, 0] + payload)
  }

  /// Writes all bytes, or closes the connection. The bytes are few, so the socket accepts all bytes
  /// without a wait.
  private func write(_ bytes: [UInt8]) {
    if Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) < bytes.count {
      close()
    }
  }

  // MARK: Receiving

  private func receive() {
    let count = recv(descriptor, &room, room.count, Int32(MSG_DONTWAIT))
    guard count > 0 else {
      if count == 0 || errno != EAGAIN { close() }
      return
    }
    received += room[..<count]
    if !isUpgraded { takeHead() }
    if isUpgraded { takeFrames() }
  }

  private func takeHead() {
    guard let end = received.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
    let status = String(decoding: received.prefix(12), as: UTF8.self)
    received.removeFirst(end.upperBound)
    guard status == "HTTP/1.1 101" else { return close() }
    isUpgraded = true
    onOpen()
  }

  private func takeFrames() {
    var start = 0
    while let payload = payload(at: start) {
      if isListening, received[start] & 0x0F == 2, payload.count > 1,
        received[payload.lowerBound] == Self.markers.gateway,
        let frame = try? Frame(packed: Array(received[payload.dropFirst()]))
      {
        onFrame(frame)
      }
      start = payload.upperBound
    }
    received.removeFirst(start)
  }

  /// Returns the range of the payload of the WebSocket frame at an offset; `nil` if the frame is
  /// incomplete.
  private func payload(at start: Int) -> Range<Int>? {
    guard received.count >= start + 2 else { return nil }
    let short = Int(received[start + 1] & 0x7F)
    let width = short == 126 ? 2 : short == 127 ? 8 : 0
    let begin = start + 2 + width
    guard received.count >= begin else { return nil }
    let length =
      width == 0 ? short : received[(begin - width)..<begin].reduce(0) { $0 << 8 | Int($1) }
    return received.count >= begin + length ? begin..<(begin + length) : nil
  }
}
