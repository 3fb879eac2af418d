/// A response whose body has a known length, or ends when the connection ends.
package struct HTTPResponse: Hashable, Sendable {
  /// The maximum length of a response, in bytes.
  static let largest = 1 << 20

  package let status: Int
  package let body: [UInt8]

  /// Parses the bytes received so far.
  ///
  /// - Parameter isComplete: Whether the connection has ended, so that no more bytes follow.
  /// - Returns: `nil` while bytes are missing.
  /// - Throws: ``HTTPError/malformed(_:)``.
  package init?(_ received: [UInt8], isComplete: Bool) throws(HTTPError) {
    guard let head = Self.headLength(of: received) else { return nil }
    let lines = String(decoding: received[..<head], as: UTF8.self).split(separator: "\r\n")
    guard let first = lines.first, first.hasPrefix("HTTP/1."),
      let status = Int(first.split(separator: " ").dropFirst().first ?? "")
    else { throw .malformed("its first line is malformed") }
    var length: Int?
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { throw .malformed("a header has no colon") }
      let value = line[line.index(after: colon)...].trimmingPrefix { $0.isWhitespace }
      switch line[..<colon].lowercased() {
      case "content-length": length = Int(value)
      case "transfer-encoding": throw .malformed("this client does not read chunked bodies")
      default: break
      }
    }
    let rest = received[head...]
    if status == 204 || status == 304 { length = 0 }
    if let length {
      guard rest.count >= length else { return nil }
    } else {
      guard isComplete else { return nil }
    }
    self.status = status
    body = Array(rest.prefix(length ?? rest.count))
  }

  /// The body as text.
  package var text: String { String(decoding: body, as: UTF8.self) }

  /// Returns the number of bytes of the head, including the empty line after the headers.
  private static func headLength(of received: [UInt8]) -> Int? {
    let end = Array("\r\n\r\n".utf8)
    guard received.count >= end.count else { return nil }
    return (0...received.count - end.count)
      .first { received[$0..<$0 + end.count].elementsEqual(end) }
      .map { $0 + end.count }
  }
}
