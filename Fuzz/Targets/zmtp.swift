import ZMTP

/// Fuzzes the bytes that a socket receives from unauthenticated peers: a greeting, a handshake and
/// frames. One connection reads the bytes as one piece, and another connection reads the bytes as
/// several pieces. The first bytes of the input give the sizes of these pieces.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe FuzzInput.bytes(data, count)
  let sizes = input.prefix(4).map { Int($0) + 1 }
  let bytes = Array(input.dropFirst(4))
  let whole = ZMTPReadResult(of: bytes, inPiecesOf: [bytes.count + 1])
  let pieces = ZMTPReadResult(of: bytes, inPiecesOf: sizes.isEmpty ? [1] : sizes)
  FuzzInput.require(whole.frames == pieces.frames, "the pieces that bytes come in do not matter")
  FuzzInput.require(whole.failure == pieces.failure, "nor for what is wrong with them")
  return 0
}

/// The result of a connection that reads bytes.
private struct ZMTPReadResult {
  private(set) var frames: [[UInt8]] = []
  private(set) var failure: ZMTPError?

  private static let limits = ZMTPLimits(
    frameBytes: 512, messageBytes: 1_024, messageFrames: 4, commandBytes: 256,
    // No input contains more commands than this limit. The limit applies to the commands of one
    // read. So with a lower limit, the result would depend on how this target divides the input
    // into reads.
    commandsPerRead: 16_384)

  init(of bytes: [UInt8], inPiecesOf sizes: [Int]) {
    var connection = ZMTPConnection(.router, limits: Self.limits)
    var (offset, turn) = (0, 0)
    while offset < bytes.count, failure == nil {
      let end = min(offset + sizes[turn % sizes.count], bytes.count)
      do throws(ZMTPError) {
        try connection.receive(bytes.span.extracting(offset..<end)) { frame, _ in
          frames.append(frame.indices.map { frame[$0] })
        }
      } catch {
        failure = error
      }
      FuzzInput.require(connection.buffered <= 512 + 9, "no more is kept than one frame")
      FuzzInput.require(connection.takeOutput().count <= 512, "nobody is told much")
      (offset, turn) = (end, turn + 1)
    }
  }
}
