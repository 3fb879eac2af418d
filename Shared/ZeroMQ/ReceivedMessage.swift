internal import CZeroMQ

/// A message as it came, one after the other in the same place: for bytes that are read at once.
///
/// What is kept for longer is copied or taken as a ``Frame``. Belongs to one thread.
@safe public struct ReceivedMessage: ~Copyable {
  /// How many parts it has; 0 before the first was received. Of more than ``Socket/maximumParts``,
  /// `maximumParts + 1`.
  public internal(set) var partCount = 0

  // Nearly all messages have one part or two; further ones are the exception that may cost more.
  var first = zmq_msg_t()
  var second = zmq_msg_t()
  var others: [Frame] = []

  /// No message yet.
  public init() {
    unsafe zmq_msg_init(&first)
    unsafe zmq_msg_init(&second)
  }

  deinit {
    // A copy of the struct names the same bytes, and this is its last use.
    var (first, second) = (first, second)
    unsafe zmq_msg_close(&first)
    unsafe zmq_msg_close(&second)
  }

  /// Lends the bytes of a part for the duration of `body`.
  public mutating func withBytes<R, E: Error>(
    ofPart index: Int, _ body: (RawSpan) throws(E) -> R
  ) throws(E) -> R {
    precondition(index < partCount, "A message has no more parts than it has.")
    // Safe: the bytes stay where they are while this value is borrowed.
    switch index {
    case 0: return try body(unsafe Self.bytes(of: &first).bytes)
    case 1: return try body(unsafe Self.bytes(of: &second).bytes)
    default: return try others[index - 2].withBytes(body)
    }
  }

  /// Lends the bytes of a part for the duration of `body`, as numbers.
  public mutating func withOctets<R, E: Error>(
    ofPart index: Int, _ body: (Span<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    try withBytes(ofPart: index) { (bytes: RawSpan) throws(E) in
      // Safe: any byte is a number, and the span cannot leave `body`.
      try body(unsafe bytes._unsafeView(as: UInt8.self))
    }
  }

  /// Takes a part out, without copying its bytes where they are many; an empty one is left.
  public mutating func takePart(_ index: Int) -> Frame {
    precondition(index < partCount, "A message has no more parts than it has.")
    return switch index {
    case 0: Frame(storage: .taking(&first))
    case 1: Frame(storage: .taking(&second))
    default: others[index - 2]
    }
  }

  private static func bytes(of message: inout zmq_msg_t) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: zmq_msg_data(&message), count: zmq_msg_size(&message))
  }
}
