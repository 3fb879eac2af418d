/// One part of a message: bytes that never change, shared between all copies.
///
/// Copying a frame, and sending it to a thousand peers, copies a reference, never the bytes
/// (bodies of up to 33 bytes aside, which libzmq keeps inside the message itself). A received
/// frame may hold on to libzmq's 8 KiB receive buffer: copy what is kept for long.
public struct Frame: Hashable, @unchecked Sendable {
  // Sendable because its storage never changes (a ManagedBuffer cannot say so itself).
  let storage: FrameStorage

  /// An array of this size or more is adopted instead of copied: below it the copy is cheaper than
  /// the object that would keep the array alive.
  static let adoptionThreshold = 4096

  init(storage: FrameStorage) { self.storage = storage }

  /// A frame of these bytes. From 4 KiB on the array is shared, not copied.
  public init(_ bytes: [UInt8]) {
    // Safe: bytes have no padding that could be uninitialised.
    storage =
      bytes.count >= Self.adoptionThreshold
      ? .adopting(bytes) : unsafe .copying(bytes.span.bytes)
  }

  /// A frame with a copy of these bytes.
  public init(copying bytes: RawSpan) {
    storage = FrameStorage.copying(bytes)
  }

  /// A frame with a copy of these bytes.
  public init(copying bytes: Span<UInt8>) {
    // Safe: any byte is a number.
    self.init(copying: unsafe bytes.bytes)
  }

  /// A frame whose bytes are written straight into the message.
  ///
  /// - Parameters:
  ///   - size: The number of bytes, 0 or more.
  ///   - initializer: Must append exactly `size` bytes to the span it is given.
  public init<E: Error>(
    size: Int, initializingWith initializer: (inout OutputRawSpan) throws(E) -> Void
  ) throws(E) {
    storage = try FrameStorage.make(size: size, initializer)
  }

  /// The number of bytes.
  public var count: Int { storage.count }

  /// Whether there are no bytes.
  public var isEmpty: Bool { storage.count == 0 }

  /// A copy of the bytes.
  public var bytes: [UInt8] {
    unsafe [UInt8](storage.buffer)
  }

  /// Lends the bytes for the duration of `body`.
  @inlinable
  public func withBytes<R: ~Copyable, E: Error>(
    _ body: (RawSpan) throws(E) -> R
  ) throws(E) -> R {
    // Safe: the span cannot leave `body`, and `self` outlives it.
    defer { withExtendedLifetime(self) {} }
    return try unsafe body(buffer.bytes)
  }

  @usableFromInline var buffer: UnsafeRawBufferPointer { unsafe storage.buffer }

  /// Whether both have the same bytes.
  public static func == (left: Frame, right: Frame) -> Bool {
    left.storage === right.storage || FrameStorage.haveEqualBytes(left.storage, right.storage)
  }

  public func hash(into hasher: inout Hasher) {
    unsafe hasher.combine(bytes: storage.buffer)
    withExtendedLifetime(self) {}
  }
}
