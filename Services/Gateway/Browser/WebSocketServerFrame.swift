import NIOCore

/// The WebSocket frames that a server sends (RFC 6455, §5.2): unfragmented and unmasked.
enum WebSocketServerFrame {
  /// Returns a binary message as one frame.
  static func binary(_ message: [UInt8]) -> ByteBuffer { frame(0x2, message) }

  static func ping(_ payload: [UInt8]) -> ByteBuffer { frame(0x9, payload) }

  static func pong(_ payload: [UInt8]) -> ByteBuffer { frame(0xA, payload) }

  static func close(_ code: UInt16) -> ByteBuffer {
    frame(0x8, [UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code)])
  }

  private static func frame(_ opcode: UInt8, _ payload: [UInt8]) -> ByteBuffer {
    var buffer = ByteBuffer()
    buffer.reserveCapacity(payload.count + 10)
    buffer.writeInteger(0x80 | opcode)
    switch payload.count {
    case ..<126:
      buffer.writeInteger(UInt8(payload.count))
    case ..<65_536:
      buffer.writeInteger(126 as UInt8)
      buffer.writeInteger(UInt16(payload.count))
    default:
      buffer.writeInteger(127 as UInt8)
      buffer.writeInteger(UInt64(payload.count))
    }
    buffer.writeBytes(payload)
    return buffer
  }
}
