import Synchronization

@testable import ZMTP

/// The two ends of a CURVE connection. The test knows the random numbers of both ends.
struct CurveEnds {
  static let serverKey = secretKey(0x51)
  static let clientKey = secretKey(0xc1)

  var server: ZMTPConnection
  var client: ZMTPConnection

  /// The frames that each end has received.
  private(set) var atServer: [[UInt8]] = []
  private(set) var atClient: [[UInt8]] = []

  init(
    limits: ZMTPLimits = ZMTPLimits(), clientType: ZMTPSocketType = .dealer,
    isWelcome: @escaping @Sendable (CurvePublicKey) -> Bool = { _ in true }
  ) {
    server = Self.makeServer(limits: limits, isWelcome: isWelcome)
    client = ZMTPConnection(
      clientType,
      security: .curveClient(serverKey: Self.serverKey.publicKey, secretKey: Self.clientKey),
      limits: limits, random: Self.random(from: 1))
  }

  /// - Parameter first: The value of each byte of the first random number. The bytes of each
  ///   following random number are larger by 1 than the bytes of the random number before.
  static func makeServer(
    limits: ZMTPLimits = ZMTPLimits(), from first: UInt8 = 0x11,
    isWelcome: @escaping @Sendable (CurvePublicKey) -> Bool = { _ in true }
  ) -> ZMTPConnection {
    ZMTPConnection(
      .router, security: .curveServer(secretKey: serverKey, isWelcome: isWelcome), limits: limits,
      random: random(from: first))
  }

  /// Returns two ends that have completed the handshake.
  static func opened(_ limits: ZMTPLimits = ZMTPLimits()) throws -> CurveEnds {
    var ends = CurveEnds(limits: limits)
    try ends.exchange()
    return ends
  }

  static func secretKey(_ byte: UInt8) -> CurveSecretKey {
    guard let key = CurveSecretKey(bytes: [UInt8](repeating: byte, count: 32)) else {
      preconditionFailure("32 bytes are a key.")
    }
    return key
  }

  static func random(from first: UInt8) -> CurveRandom.Source {
    let asked = OneTimeClosure(first)
    return { asked.next($0) }
  }

  private final class OneTimeClosure: Sendable {
    private let value: Mutex<UInt8>

    init(_ first: UInt8) { value = Mutex(first) }

    func next(_ count: Int) -> [UInt8] {
      value.withLock { value in
        defer { value += 1 }
        return [UInt8](repeating: value, count: count)
      }
    }
  }

  /// Exchanges all bytes between the ends until neither end has any output.
  mutating func exchange(inPiecesOf size: Int = .max) throws {
    while client.hasOutput || server.hasOutput {
      try give(client.takeOutput(), inPiecesOf: size)
      try answer(server.takeOutput(), inPiecesOf: size)
    }
  }

  /// Passes bytes to the server.
  mutating func give(_ bytes: [UInt8], inPiecesOf size: Int = .max) throws {
    var taken: [[UInt8]] = []
    defer { atServer += taken }
    for piece in Self.pieces(bytes, size) {
      try server.receive(piece.span) { frame, _ in taken.append(frame.copy) }
    }
  }

  /// Passes bytes to the client.
  mutating func answer(_ bytes: [UInt8], inPiecesOf size: Int = .max) throws {
    var taken: [[UInt8]] = []
    defer { atClient += taken }
    for piece in Self.pieces(bytes, size) {
      try client.receive(piece.span) { frame, _ in taken.append(frame.copy) }
    }
  }

  private static func pieces(_ bytes: [UInt8], _ size: Int) -> [[UInt8]] {
    guard size < bytes.count else { return [bytes] }
    return stride(from: 0, to: bytes.count, by: size).map {
      Array(bytes[$0..<min($0 + size, bytes.count)])
    }
  }

  /// Returns the bytes that the client sends on the wire for a message.
  mutating func message(_ body: [UInt8], isLast: Bool = true) -> [UInt8] {
    var bytes: [UInt8] = []
    client.append(body.span, isLast: isLast, to: &bytes)
    return bytes
  }

  /// Returns a frame of the client with any flags, sealed.
  func sealed(flags: UInt8, _ body: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    if case .session(let session) = client.mechanism {
      session.append(flags: flags, body.span, to: &bytes)
    }
    return bytes
  }

  /// Returns a command as a frame.
  static func command(_ body: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    ZMTPFrameWriter.append(flags: ZMTPFrameWriter.command, body.span, to: &bytes)
    return bytes
  }

  static let clientGreeting = greeting(isServer: false)
  static let serverGreeting = greeting(isServer: true)

  private static func greeting(isServer: Bool) -> [UInt8] {
    [0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 3, 1] + Array("CURVE".utf8)
      + [UInt8](repeating: 0, count: 15) + [isServer ? 1 : 0] + [UInt8](repeating: 0, count: 31)
  }
}
