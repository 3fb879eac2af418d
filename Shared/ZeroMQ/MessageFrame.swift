/// One part of a message: immutable bytes shared between all copies.
///
/// Copying a frame, or sending it to a thousand peers, copies a reference instead of the bytes.
/// Frames of up to 33 bytes are an exception: libzmq stores and copies these bytes inside the
/// message. If libzmq ignores `ZMQ_ZERO_COPY_RECV`, which ``ZMQContext`` sets, a received frame
/// retains libzmq's receive buffer. In this case, copy bytes that you keep for long.
public struct MessageFrame: Hashable, @unchecked Sendable {
  // Sendable because the storage is immutable. A `ManagedBuffer` cannot declare that it is
  // `Sendable`.
  let storage: MessageFrameStorage

  /// The size from which a frame adopts an array instead of copying the array. For a smaller array,
  /// a copy is cheaper than the object that retains the array.
  static let adoptionThreshold = 4096

  init(storage: MessageFrameStorage) { self.storage = storage }

  /// Creates a frame of these bytes. From 4 KiB on, the frame shares the array instead of copying
  /// the array.
  public init(_ bytes: [UInt8]) {
    // Safe: bytes have no padding that could be uninitialised.
    storage =
      bytes.count >= Self.adoptionThreshold
      ? .adopting(bytes) : unsafe .copying(bytes.span.bytes)
  }

  /// Creates a frame with a copy of these bytes.
  public init(copying bytes: RawSpan) {
    storage = MessageFrameStorage.copying(bytes)
  }

  /// Creates a frame with a copy of these bytes.
  public init(copying bytes: Span<UInt8>) {
    // Safe: every byte is a valid `UInt8`.
    self.init(copying: unsafe bytes.bytes)
  }

  /// Creates a frame. A closure writes the bytes directly into the message.
  ///
  /// - Parameters:
  ///   - size: The number of bytes, 0 or more.
  ///   - initializer: Must append exactly `size` bytes to its span.
  public init<E: Error>(
    size: Int, initializingWith initializer: (inout OutputRawSpan) throws(E) -> Void
  ) throws(E) {
    storage = try MessageFrameStorage.make(size: size, initializer)
  }

  /// The number of bytes.
  public var count: Int { storage.count }

  /// Whether there are no bytes.
  public var isEmpty: Bool { storage.count == 0 }

  /// A copy of the bytes.
  public var bytes: [UInt8] {
    unsafe [UInt8](storage.buffer)
  }

  /// Passes the bytes to `body`.
  @inlinable
  public func withBytes<R: ~Copyable, E: Error>(
    _ body: (RawSpan) throws(E) -> R
  ) throws(E) -> R {
    // Safe: the span cannot leave `body`, and `self` outlives the span.
    defer { withExtendedLifetime(self) {} }
    return try unsafe body(buffer.bytes)
  }

  @usableFromInline var buffer: UnsafeRawBufferPointer { unsafe storage.buffer }

  /// Returns whether both frames have the same bytes.
  public static func == (left: MessageFrame, right: MessageFrame) -> Bool {
    left.storage === right.storage
      || MessageFrameStorage.haveEqualBytes(left.storage, right.storage)
  }

  public func hash(into hasher: inout Hasher) {
    unsafe hasher.combine(bytes: storage.buffer)
    withExtendedLifetime(self) {}
  }
}
