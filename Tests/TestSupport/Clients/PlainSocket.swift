import Glibc
public import ZeroMQ

/// A stream socket without a protocol, for tests of peers that violate the protocol. The socket
/// never blocks.
public final class PlainSocket {
  private let descriptor: Int32

  /// Whether the peer has closed the connection.
  public private(set) var isClosed = false

  public struct NoSocket: Error {
    public let code: Int32
  }

  /// Connects to a Unix socket or to a port of 127.0.0.1.
  ///
  /// - Parameter receiveBuffer: The size of the receive buffer in bytes; `nil` for the system's
  ///   default.
  public init(to endpoint: Endpoint, receiveBuffer: Int32? = nil) throws {
    var storage = sockaddr_storage()
    let family: Int32
    let size: Int
    switch endpoint.transport {
    case .ipc(let path):
      (family, size) = (AF_UNIX, MemoryLayout<sockaddr_un>.size)
      withUnsafeMutableBytes(of: &storage) { room in
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
        room[offset...].copyBytes(from: path.utf8)
      }
    case .tcp(_, let port):
      (family, size) = (AF_INET, MemoryLayout<sockaddr_in>.size)
      withUnsafeMutableBytes(of: &storage) { room in
        room.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
        room[4..<8].copyBytes(from: [127, 0, 0, 1])
      }
    case .inproc: throw NoSocket(code: EPROTONOSUPPORT)
    }
    storage.ss_family = sa_family_t(family)
    descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw NoSocket(code: errno) }
    if var bytes = receiveBuffer {
      setsockopt(
        descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }
    let code = withUnsafePointer(to: storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(size)) == 0 ? 0 : errno
      }
    }
    guard code == 0 else {
      Glibc.close(descriptor)
      throw NoSocket(code: code)
    }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { Glibc.close(descriptor) }

  /// Sends as many bytes as the socket accepts without blocking.
  ///
  /// - Returns: The number of bytes sent.
  @discardableResult
  public func send(_ bytes: some Collection<UInt8>) -> Int {
    let bytes = Array(bytes)
    let count = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    if count < 0, errno != EAGAIN { isClosed = true }
    return max(0, count)
  }

  /// Returns the bytes that have arrived, at most `most`.
  public func receive(atMost most: Int = 65_536) -> [UInt8] {
    var room = [UInt8](repeating: 0, count: most)
    let count = recv(descriptor, &room, most, 0)
    if count == 0 || count < 0 && errno != EAGAIN { isClosed = true }
    return Array(room.prefix(max(0, count)))
  }

  /// Reads until the peer closes the connection.
  ///
  /// - Returns: `false` if the peer has not closed the connection within the limit.
  public func awaitEnd(within limit: Duration) async throws -> Bool {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
      while !receive().isEmpty {}
      if isClosed { return true }
      try await Task.sleep(for: .milliseconds(2))
    }
    return false
  }

  /// Reads until `count` bytes have arrived, the peer closes the connection or the limit has
  /// passed.
  public func receive(_ count: Int, within limit: Duration) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    let end = ContinuousClock.now + limit
    while bytes.count < count, ContinuousClock.now < end {
      let more = receive(atMost: count - bytes.count)
      bytes += more
      if isClosed { return bytes }
      if more.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
    }
    return bytes
  }
}

extension PlainSocket {
  /// The greeting of a DEALER (37/ZMTP) with the mechanism NULL.
  public static let greeting: [UInt8] =
    [0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 3, 1] + Array("NULL".utf8)
    + [UInt8](repeating: 0, count: 48)

  /// The READY command of a DEALER. The command follows the greeting.
  public static let ready: [UInt8] =
    [4, 28, 5] + Array("READY".utf8) + [11] + Array("Socket-Type".utf8) + [0, 0, 0, 6]
    + Array("DEALER".utf8)

  /// A PING command without a context and with a TTL of 0.
  public static let ping: [UInt8] = [4, 7, 4] + Array("PING".utf8) + [0, 0]

  /// The number of bytes that a listener sends in the handshake: its greeting and READY.
  public static let answer = 64 + 3 + 5 + 1 + 11 + 4 + 6

  /// Connects and completes the handshake.
  public static func shakingHands(
    with endpoint: Endpoint, receiveBuffer: Int32? = nil
  ) async throws -> PlainSocket {
    let socket = try PlainSocket(to: endpoint, receiveBuffer: receiveBuffer)
    socket.send(greeting + ready)
    _ = try await socket.receive(answer, within: .seconds(30))
    return socket
  }
}
