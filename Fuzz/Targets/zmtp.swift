import ZMTP

/// What comes to a socket of ours from who has proved nothing: a greeting, a handshake and frames,
/// in one piece and in pieces of the sizes that the input's first bytes say.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe FuzzInput.bytes(data, count)
  let sizes = input.prefix(4).map { Int($0) + 1 }
  let bytes = Array(input.dropFirst(4))
  let whole = Reading(of: bytes, inPiecesOf: [bytes.count + 1])
  let pieces = Reading(of: bytes, inPiecesOf: sizes.isEmpty ? [1] : sizes)
  FuzzInput.require(whole.frames == pieces.frames, "the pieces that bytes come in do not matter")
  FuzzInput.require(whole.failure == pieces.failure, "nor for what is wrong with them")
  return 0
}

/// What a connection made of bytes.
private struct Reading {
  private(set) var frames: [[UInt8]] = []
  private(set) var failure: ZMTPError?

  private static let limits = ZMTPLimits(
    frameBytes: 512, messageBytes: 1_024, messageFrames: 4, commandBytes: 256,
    // Beyond what an input holds: how many commands come at once depends on the pieces.
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
