internal import CSodium
internal import Synchronization

/// The transient keys of an established connection. The session seals and opens frames with these
/// keys, and counts the nonces of both directions (26/CurveZMQ, "The MESSAGE Command").
struct CurveSession: Sendable {
  enum Role: Sendable { case server, client }

  /// The number of bytes by which a sealed frame is longer than its message: a name, a nonce, the
  /// box's overhead, and flags.
  static let overhead = headerBytes + CurveBox.overhead + 1

  private static let name: StaticString = "\u{7}MESSAGE"
  private static let headerBytes = 16

  /// The key, and the counter of nonces. All copies of a session share the key and the counter, so
  /// that no two boxes have the same nonce.
  private final class KeyAndNonceCounter: Sendable {
    let secret: CurveSecret
    let sent: Atomic<UInt64>

    init(_ secret: CurveSecret, sent: UInt64) {
      self.secret = secret
      self.sent = Atomic(sent)
    }

    /// Returns the nonce of the next command to send. No connection sends 2^64 messages.
    func nextNumber() -> UInt64 { sent.add(1, ordering: .relaxed).newValue }
  }

  private let role: Role
  private let key: KeyAndNonceCounter

  /// The newest received nonce; `nil` before the first nonce.
  private var received: UInt64?

  /// - Parameters:
  ///   - sent: The nonce of the last sent command; 0 before the first command.
  ///   - received: The nonce of the last received command; `nil` before the first command.
  init(_ role: Role, _ secret: CurveSecret, sent: UInt64, received: UInt64?) {
    self.role = role
    key = KeyAndNonceCounter(secret, sent: sent)
    self.received = received
  }

  /// Checks that a command's nonce is higher than the nonce of the previous command.
  private mutating func admit(_ number: UInt64) throws(ZMTPError) {
    if let received, number <= received { throw .nonce }
    received = number
  }

  // MARK: Commands of the handshake

  /// Seals the content of a command.
  ///
  /// - Returns: The eight bytes of the nonce that the command carries, and the box.
  func seal(_ bytes: [UInt8], _ prefix: StaticString) -> [UInt8] {
    let number = key.nextNumber()
    let nonce = CurveNonce(prefix, number: number)
    return number.bigEndianBytes + CurveBox.seal(bytes, nonce, with: key.secret)
  }

  /// Opens a frame that the other side sealed with ``seal(_:_:)``.
  mutating func open(
    _ sealed: ArraySlice<UInt8>, _ prefix: StaticString, _ box: ZMTPError.UnopenedCurveBox
  ) throws(ZMTPError) -> [UInt8] {
    let number = sealed.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    try admit(number)
    let nonce = CurveNonce(prefix, number: number)
    guard let bytes = CurveBox.open(sealed.dropFirst(8), nonce, with: key.secret) else {
      throw .box(box)
    }
    return bytes
  }

  // MARK: Messages

  /// Writes a frame that contains a sealed frame.
  ///
  /// Like libzmq, this method sets no flags of the outer frame, even for a command.
  ///
  /// - Parameters:
  ///   - flags: The flags of the inner frame: ``ZMTPFrameWriter/more``, or ``command``.
  func append(flags: UInt8, _ body: Span<UInt8>, to bytes: inout [UInt8]) {
    let number = key.nextNumber()
    ZMTPFrameWriter.appendHeader(flags: 0, size: body.count + Self.overhead, to: &bytes)
    Self.name.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
    let box = bytes.count
    for _ in 0..<CurveBox.overhead { bytes.append(0) }
    bytes.append(flags)
    bytes.append(copying: body)
    let nonce = CurveNonce(role == .server ? Self.fromServer : Self.fromClient, number: number)
    // This code encrypts the text in place. The encrypted text has the same length, and the
    // authenticator precedes it.
    unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      let text = unsafe start + box + CurveBox.overhead
      unsafe nonce.withPointer { nonce in
        unsafe key.secret.withBytes {
          _ = unsafe crypto_box_detached_afternm(
            text, start + box, text, UInt64(body.count + 1), nonce, $0)
        }
      }
    }
  }

  /// Opens a sealed frame.
  ///
  /// - Parameters:
  ///   - frame: The body of the outer frame.
  ///   - take: Called with the flags and the body of the inner frame. The body is valid only during
  ///     the call.
  mutating func open(
    _ frame: Span<UInt8>, _ take: (_ flags: UInt8, _ body: Span<UInt8>) throws(ZMTPError) -> Void
  ) throws(ZMTPError) {
    guard frame.begins(with: Self.name) else { throw .outOfTurn }
    guard frame.count >= Self.overhead else { throw .command }
    var number: UInt64 = 0
    for index in Self.headerBytes - 8..<Self.headerBytes {
      number = number << 8 | UInt64(frame[index])
    }
    try admit(number)
    let nonce = CurveNonce(role == .server ? Self.fromClient : Self.fromServer, number: number)
    let count = frame.count - Self.headerBytes - CurveBox.overhead
    let key = key
    // The buffer for the decrypted content is temporary. A small buffer is on the stack.
    try unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) {
      (room) throws(ZMTPError) in
      let result = unsafe frame.withUnsafeBufferPointer { frame in
        unsafe Self.open(frame, into: room, nonce, key.secret)
      }
      guard result else { throw .box(.message) }
      let opened = unsafe Span(_unsafeElements: UnsafeBufferPointer(room))
      try take(opened[0], opened.extracting(1..<count))
    }
  }

  private static func open(
    _ frame: UnsafeBufferPointer<UInt8>, into room: UnsafeMutableBufferPointer<UInt8>,
    _ nonce: CurveNonce, _ secret: CurveSecret
  ) -> Bool {
    guard let start = frame.baseAddress, let target = room.baseAddress else {
      return false
    }
    let box = unsafe start + headerBytes
    return unsafe nonce.withPointer { nonce in
      unsafe secret.withBytes {
        unsafe crypto_box_open_detached_afternm(
          target, box + CurveBox.overhead, box, UInt64(room.count), nonce, $0) == 0
      }
    }
  }

  private static let fromServer: StaticString = "CurveZMQMESSAGES"
  private static let fromClient: StaticString = "CurveZMQMESSAGEC"

  /// The flag of an inner frame that is a command. 26/CurveZMQ reserves this bit, and libzmq uses
  /// it for commands.
  static let command: UInt8 = 2
}

extension UInt64 {
  /// The bytes, most significant first.
  fileprivate var bigEndianBytes: [UInt8] {
    stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) }
  }
}

extension Span<UInt8> {
  fileprivate func begins(with name: StaticString) -> Bool {
    guard count >= name.utf8CodeUnitCount else { return false }
    return name.withUTF8Buffer { name in
      for index in name.indices where unsafe self[index] != name[index] { return false }
      return true
    }
  }
}
