internal import CZeroMQ

/// A reusable buffer for received messages whose bytes the caller reads immediately.
///
/// To keep the bytes, copy the bytes or take them as a ``MessageFrame``. A buffer belongs to one
/// thread.
@safe public struct ReceiveBuffer: ~Copyable {
  /// The number of parts; 0 before the first message.
  ///
  /// If there are more than ``Socket/maximumParts`` parts, the number is `maximumParts + 1`.
  public internal(set) var partCount = 0

  // Nearly all messages have one or two parts. Further parts are rare and may cost more.
  var first = zmq_msg_t()
  var second = zmq_msg_t()
  var others: [MessageFrame] = []

  /// Creates a buffer without a message.
  public init() {
    unsafe zmq_msg_init(&first)
    unsafe zmq_msg_init(&second)
  }

  deinit {
    // These variables are copies that refer to the bytes of the properties. Nothing uses the copies
    // or the properties after this code.
    var (first, second) = (first, second)
    unsafe zmq_msg_close(&first)
    unsafe zmq_msg_close(&second)
  }

  /// Passes the bytes of a part to `body`.
  public mutating func withBytes<R, E: Error>(
    ofPart index: Int, _ body: (RawSpan) throws(E) -> R
  ) throws(E) -> R {
    precondition(index < partCount, "A message has no more parts than it has.")
    // Safe: the bytes do not move while this value is borrowed.
    switch index {
    case 0: return try body(unsafe Self.bytes(of: &first).bytes)
    case 1: return try body(unsafe Self.bytes(of: &second).bytes)
    default: return try others[index - 2].withBytes(body)
    }
  }

  /// Passes the bytes of a part to `body` as numbers.
  public mutating func withOctets<R, E: Error>(
    ofPart index: Int, _ body: (Span<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    try withBytes(ofPart: index) { (bytes: RawSpan) throws(E) in
      // Safe: every byte is a valid `UInt8`, and the span cannot leave `body`.
      try body(unsafe bytes._unsafeView(as: UInt8.self))
    }
  }

  /// Removes a part and leaves an empty part. Does not copy large parts.
  public mutating func takePart(_ index: Int) -> MessageFrame {
    precondition(index < partCount, "A message has no more parts than it has.")
    return switch index {
    case 0: MessageFrame(storage: .taking(&first))
    case 1: MessageFrame(storage: .taking(&second))
    default: others[index - 2]
    }
  }

  private static func bytes(of message: inout zmq_msg_t) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: zmq_msg_data(&message), count: zmq_msg_size(&message))
  }
}
