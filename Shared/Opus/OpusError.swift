internal import COpus

/// An error of libopus.
public enum OpusError: Error, Hashable {
  /// The bytes are not an Opus packet.
  case invalidPacket
  /// The caller's buffer is too small for the samples or the packet.
  case bufferTooSmall
  /// A setting or a number of samples is invalid.
  case badArgument
  /// There is no memory for another encoder or decoder.
  case outOfMemory
  /// libopus failed with another error number.
  case failed(code: Int32)

  init(_ code: Int32) {
    self =
      switch code {
      case OPUS_INVALID_PACKET: .invalidPacket
      case OPUS_BUFFER_TOO_SMALL: .bufferTooSmall
      case OPUS_BAD_ARG: .badArgument
      case OPUS_ALLOC_FAIL: .outOfMemory
      default: .failed(code: code)
      }
  }

  /// Returns a result of libopus, or throws the error that the result stands for.
  static func check(_ result: Int32) throws(OpusError) -> Int {
    guard result >= 0 else { throw OpusError(result) }
    return Int(result)
  }
}
