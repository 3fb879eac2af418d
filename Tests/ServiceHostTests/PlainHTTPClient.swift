import Foundation
import Glibc

/// The address of a port of 127.0.0.1, in the layout of `sockaddr_in` (ip(7)). The C type itself
/// belongs to the first C module that includes the type. Which module is the first depends on the
/// files of this target.
private struct LoopbackAddress {
  let family = sa_family_t(AF_INET)
  let port: UInt16
  let address = UInt32(0x7F00_0001).bigEndian
  let padding: UInt64 = 0

  init(port: Int) { self.port = UInt16(port).bigEndian }
}

/// Sends one HTTP request over its own socket, without a library.
enum PlainHTTPClient {
  struct Answer {
    let status: Int
    let head: String
    let body: String
  }

  enum Failure: Error {
    case cannotOpen(errno: Int32)
    case malformed(String)
  }

  static func get(
    _ path: String, fromUnixSocket socketPath: String, method: String = "GET"
  ) async throws -> Answer {
    try await exchange(path, method) {
      var address = unixAddress(socketPath)
      return try opened(AF_UNIX, &address, with: connect)
    }
  }

  /// Leaves a socket's file behind, as a killed process does.
  static func abandonSocket(at path: String) throws {
    var address = unixAddress(path)
    close(try opened(AF_UNIX, &address, with: bind))
  }

  static func get(_ path: String, fromLoopbackPort port: Int) async throws -> Answer {
    try await exchange(path) {
      var address = LoopbackAddress(port: port)
      return try opened(AF_INET, &address, with: connect)
    }
  }

  /// Runs on its own thread, because blocking calls must not block the server under test.
  private static func exchange(
    _ path: String, _ method: String = "GET", connect: @escaping @Sendable () throws -> Int32
  ) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result {
            let socket = try connect()
            defer { close(socket) }
            let request =
              "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            _ = request.withCString { send(socket, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
            return try parse(readToEnd(of: socket))
          })
      }
    }
  }

  private static func unixAddress(_ path: String) -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    return address
  }

  private static func opened<Address>(
    _ family: Int32, _ address: inout Address,
    with call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws -> Int32 {
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
    let length = socklen_t(MemoryLayout<Address>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call(descriptor, $0, length) }
    }
    guard result == 0 else {
      let code = errno
      close(descriptor)
      throw Failure.cannotOpen(errno: code)
    }
    return descriptor
  }

  private static func readToEnd(of socket: Int32) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }

  private static func parse(_ text: String) throws -> Answer {
    guard let end = text.range(of: "\r\n\r\n"),
      let status = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { throw Failure.malformed(text) }
    return Answer(
      status: status, head: String(text[..<end.lowerBound]).lowercased(),
      body: String(text[end.upperBound...]))
  }
}
