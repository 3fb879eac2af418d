// `Scripts/fuzz.sh` compiles the sources of the module ZMTP together with this file. So this file
// can use internal declarations, and seal frames that no client would seal.

/// Fuzzes the bytes that a CURVE socket receives from peers with and without a key.
///
/// The first byte selects the use of the other bytes: as a peer's bytes from the greeting on; as
/// bytes after a true client's handshake; or as frames that this client seals. Two bytes before
/// each frame give the frame's flags, the frame's length, and whether the target modifies the frame
/// or sends the frame twice. Keys and random numbers are fixed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe FuzzInput.bytes(data, count)
  guard let choice = input.first, input.count > 2 else { return 0 }
  let size = Int(input[1]) + 1
  let bytes = Array(input.dropFirst(2))
  var ends = CurveHandshakePeers()
  if choice % 4 != 0 { ends.shakeHands() }
  let wire = choice % 4 < 2 ? bytes : ends.sealed(bytes)
  var others = CurveHandshakePeers()
  if choice % 4 != 0 { others.shakeHands() }
  let whole = ends.read(wire, inPiecesOf: wire.count + 1)
  let pieces = others.read(wire, inPiecesOf: size)
  FuzzInput.require(whole.frames == pieces.frames, "the pieces that bytes come in do not matter")
  FuzzInput.require(whole.failure == pieces.failure, "nor for what is wrong with them")
  return 0
}

/// A server and a client with fixed random numbers.
private struct CurveHandshakePeers {
  private var server: ZMTPConnection
  private var client: ZMTPConnection

  private static let keys = (server: key(0x51), client: key(0xc1))
  private static let limits = ZMTPLimits(
    frameBytes: 512, messageBytes: 1_024, messageFrames: 4, commandBytes: 512,
    commandsPerRead: 16_384)

  init() {
    server = ZMTPConnection(
      .router,
      security: .curveServer(secretKey: Self.keys.server) { $0 == Self.keys.client.publicKey },
      limits: Self.limits, random: { [UInt8](repeating: 7, count: $0) })
    client = ZMTPConnection(
      .dealer,
      security: .curveClient(
        serverKey: Self.keys.server.publicKey, secretKey: Self.keys.client),
      limits: Self.limits, random: { [UInt8](repeating: 9, count: $0) })
  }

  private static func key(_ byte: UInt8) -> CurveSecretKey {
    guard let key = CurveSecretKey(bytes: [UInt8](repeating: byte, count: 32)) else {
      fatalError("Broken: 32 bytes are a key")
    }
    return key
  }

  mutating func shakeHands() {
    while client.hasOutput || server.hasOutput {
      let asked = client.takeOutput()
      FuzzInput.require((try? server.receive(asked.span) { _, _ in }) != nil, "a client comes in")
      let answered = server.takeOutput()
      FuzzInput.require((try? client.receive(answered.span) { _, _ in }) != nil, "and hears so")
    }
  }

  /// Returns sealed frames, including frames that a correct client would not send.
  func sealed(_ bytes: [UInt8]) -> [UInt8] {
    guard case .session(let session) = client.mechanism else { return [] }
    var wire: [UInt8] = []
    var offset = 0
    while offset + 2 <= bytes.count {
      let (flags, length) = (bytes[offset], Int(bytes[offset + 1]))
      let end = min(offset + 2 + length, bytes.count)
      let body = Array(bytes[offset + 2..<end])
      let start = wire.count
      session.append(flags: flags & 0x07, body.span, to: &wire)
      if flags == 0xff { wire[wire.count - 1] ^= 1 }
      if flags == 0xfe { wire += wire[start...] }
      if flags & 0x80 == 0 { wire[start] |= flags >> 4 & ZMTPFrameWriter.command }
      offset = end
    }
    return wire
  }

  /// Passes bytes to the server and checks the result.
  mutating func read(
    _ bytes: [UInt8], inPiecesOf size: Int
  ) -> (frames: [[UInt8]], failure: ZMTPError?) {
    var frames: [[UInt8]] = []
    for offset in stride(from: 0, to: bytes.count, by: size) {
      let end = min(offset + size, bytes.count)
      do throws(ZMTPError) {
        try server.receive(bytes.span.extracting(offset..<end)) { frame, _ in
          frames.append(frame.copy)
        }
      } catch {
        _ = server.takeOutput()
        return (frames, error)
      }
      FuzzInput.require(
        server.buffered <= 512 + CurveSession.overhead + 9, "no more is kept than one frame")
      FuzzInput.require(server.takeOutput().count <= 512, "nobody is told much")
    }
    return (frames, nil)
  }
}
