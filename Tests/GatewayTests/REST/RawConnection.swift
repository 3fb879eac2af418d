import Foundation
import Glibc

/// A TCP connection to a port of this machine. The connection sends and receives bytes unchanged.
///
/// A read waits at most ten seconds. Each read runs on its own thread, because the server under
/// test needs the threads of Dispatch.
final class RawConnection: Sendable {
  struct Failure: Error {
    let operation: String
    let code: Int32
  }

  /// A response as this machine received it.
  struct Reply {
    let status: Int
    /// The head in lower case.
    let head: String
    let body: String
  }

  private let descriptor: Int32

  /// - Parameter source: The local address from which to connect.
  init(port: Int, from source: String = "127.0.0.1") throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var timeout = timeval(tv_sec: 100, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    guard Self.with(source, 0, bind, descriptor) == 0 else {
      throw Failure(operation: "bind", code: errno)
    }
    let result = Self.with("127.0.0.1", port, connect, descriptor)
    guard result == 0 else { throw Failure(operation: "connect", code: errno) }
  }

  deinit { close(descriptor) }

  private static func with(
    _ host: String, _ port: Int, _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32,
    _ descriptor: Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    inet_pton(AF_INET, host, &address.sin_addr)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// Sends as many bytes as the other side accepts.
  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Returns all bytes until the other side closes the connection; `nil` if the other side does not
  /// close the connection.
  func readToEnd() async -> String? {
    await blocking { [descriptor] in
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else {
          let isOver = count == 0 || errno == ECONNRESET
          return isOver ? String(decoding: bytes, as: UTF8.self) : nil
        }
        bytes += buffer[..<count]
      }
    }
  }

  /// Reads exactly one response.
  func readReply(hasBody: Bool = true) async throws -> Reply {
    let text = await blocking { [descriptor] in
      var bytes: [UInt8] = []
      var byte: UInt8 = 0
      while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8), recv(descriptor, &byte, 1, 0) == 1 {
        bytes.append(byte)
      }
      let head = String(decoding: bytes, as: UTF8.self).lowercased()
      var length = hasBody ? Self.length(in: head) : 0
      var body: [UInt8] = []
      while length > 0, recv(descriptor, &byte, 1, 0) == 1 {
        body.append(byte)
        length -= 1
      }
      return (head, String(decoding: body, as: UTF8.self), errno)
    }
    guard let status = text.0.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
      throw Failure(operation: "read \(text.0)", code: text.2)
    }
    return Reply(status: status, head: text.0, body: text.1)
  }

  private static func length(in head: String) -> Int {
    for line in head.split(separator: "\r\n") where line.hasPrefix("content-length:") {
      return Int(line.dropFirst(15).drop { $0 == " " }) ?? 0
    }
    return 0
  }

  private func blocking<Value: Sendable>(
    _ work: @escaping @Sendable () -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: work()) }
    }
  }
}
