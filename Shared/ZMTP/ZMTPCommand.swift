/// A command (37/ZMTP, "Commands"): a name with its data.
enum ZMTPCommand: Hashable {
  /// The end of the handshake, with the properties of the peer's socket.
  case ready([ZMTPProperty])
  /// A refusal by the peer.
  case error(String)
  /// A ping. The receiver answers with the ping's context.
  case ping(context: [UInt8])
  /// The answer to a ping.
  case pong
  /// An unknown command. The receiver ignores the command.
  case unknown

  /// The longest context of a `PING`.
  private static let mostContextBytes = 16

  init(_ body: [UInt8]) throws(ZMTPError) {
    var reader = ZMTPCommandParser(body)
    guard let nameSize = reader.number(ofBytes: 1), let name = reader.text(nameSize) else {
      throw .command
    }
    switch name {
    case "READY":
      self = .ready(try ZMTPProperty.read(Array(reader.rest)))
    case "ERROR":
      guard let size = reader.number(ofBytes: 1), let reason = reader.text(size) else {
        throw .command
      }
      self = .error(reason)
    case "PING":
      guard reader.number(ofBytes: 2) != nil, reader.rest.count <= Self.mostContextBytes else {
        throw .command
      }
      self = .ping(context: Array(reader.rest))
    case "PONG": self = .pong
    default: self = .unknown
    }
  }

  static func pong(to context: [UInt8]) -> [UInt8] {
    [4] + Array("PONG".utf8) + context
  }

  /// Returns a `READY` command.
  ///
  /// - Parameter metadata: The properties; under CURVE, the nonce and the box that contains them.
  static func ready(_ metadata: [UInt8]) -> [UInt8] {
    [5] + Array("READY".utf8) + metadata
  }

  static func error(_ reason: String) -> [UInt8] {
    let text = Array(reason.utf8.prefix(255))
    return [5] + Array("ERROR".utf8) + [UInt8(text.count)] + text
  }
}

/// A property of the handshake's metadata.
struct ZMTPProperty: Hashable {
  let name: String
  let value: [UInt8]

  init(_ name: String, _ value: [UInt8]) { (self.name, self.value) = (name, value) }

  init?(from reader: inout ZMTPCommandParser) {
    guard let nameSize = reader.number(ofBytes: 1), nameSize > 0, let name = reader.text(nameSize),
      let size = reader.number(ofBytes: 4), let value = reader.bytes(size)
    else { return nil }
    (self.name, self.value) = (name, value)
  }

  /// Parses metadata to its end.
  static func read(_ metadata: [UInt8]) throws(ZMTPError) -> [ZMTPProperty] {
    var reader = ZMTPCommandParser(metadata)
    var properties: [ZMTPProperty] = []
    while !reader.rest.isEmpty {
      guard let property = ZMTPProperty(from: &reader) else { throw .command }
      properties.append(property)
    }
    return properties
  }

  /// Returns whether the name matches, without regard to case.
  func isNamed(_ other: String) -> Bool { name.lowercased() == other.lowercased() }

  var bytes: [UInt8] {
    let size = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value.count >> $0) }
    return [UInt8(name.utf8.count)] + Array(name.utf8) + size + value
  }
}

/// Parses a command from its beginning to its end.
struct ZMTPCommandParser {
  /// The unread bytes.
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// Returns a command's name.
  static func name(of body: [UInt8]) throws(ZMTPError) -> String {
    var reader = ZMTPCommandParser(body)
    guard let size = reader.number(ofBytes: 1), let name = reader.text(size) else {
      throw .command
    }
    return name
  }

  /// Reads a number, most significant byte first; returns `nil` if the command is too short.
  mutating func number(ofBytes count: Int) -> Int? {
    bytes(count).map { $0.reduce(0) { $0 << 8 | Int($1) } }
  }

  mutating func text(_ count: Int) -> String? {
    bytes(count).map { String(decoding: $0, as: UTF8.self) }
  }

  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }
}
