internal import CZeroMQ
internal import Glibc

/// The owner of a `zmq_msg_t`, and so of one reference to the message's bytes.
///
/// The message is in the tail of the object, so the message's address never changes: libzmq stores
/// up to 33 bytes inside the message, and ``buffer`` may point to these bytes.
///
/// The message is constant after `make` has returned the storage, so threads may share the message.
/// Only the first `zmq_msg_copy` would write to the message, to mark the message as shared. `make`
/// therefore copies the message in advance. Later copies only change a counter that libzmq updates
/// atomically.
@safe final class MessageFrameStorage: ManagedBuffer<MessageFrameStorage.Content, zmq_msg_t> {
  /// The address of the bytes, cached to avoid a call of libzmq.
  @unsafe struct Content {
    var base: UnsafeMutableRawPointer
    var count: Int
  }

  var count: Int { unsafe header.count }

  /// The bytes, which are valid as long as this object exists.
  @unsafe var buffer: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: header.base, count: header.count)
  }

  /// Takes over an initialized message, and leaves an empty message.
  static func taking(_ message: inout zmq_msg_t) -> MessageFrameStorage {
    unsafe make { unsafe zmq_msg_move($0, &message) }
  }

  static func copying(_ bytes: RawSpan) -> MessageFrameStorage {
    make(size: bytes.byteCount) { (output: inout OutputRawSpan) in
      unsafe bytes.withUnsafeBytes { source in
        unsafe output.withUnsafeMutableBytes { target, count in
          unsafe target.copyMemory(from: source)
          count = source.count
        }
      }
    }
  }

  /// Shares the buffer of an array. The message has a reference to the buffer, so every other owner
  /// copies the buffer before writing.
  static func adopting(_ bytes: [UInt8]) -> MessageFrameStorage {
    let owner = AdoptedArray(bytes)
    let hint = unsafe Unmanaged.passRetained(owner).toOpaque()
    return unsafe owner.bytes.withUnsafeBytes { buffer in
      unsafe make { message in
        // The pointer remains valid after this closure. An array without Objective-C bridging
        // stores its elements in one place, and `owner` keeps the elements until libzmq calls the
        // closure below on an I/O thread. libzmq never writes to a message that it sends.
        unsafe zmq_msg_init_data(
          message, UnsafeMutableRawPointer(mutating: buffer.baseAddress), buffer.count,
          { _, hint in
            guard let hint = unsafe hint else { return }
            unsafe Unmanaged<AdoptedArray>.fromOpaque(hint).release()
          }, hint)
      }
    }
  }

  /// Creates a message of `size` bytes that `initializer` writes.
  static func make<E: Error>(
    size: Int, _ initializer: (inout OutputRawSpan) throws(E) -> Void
  ) throws(E) -> MessageFrameStorage {
    precondition(size >= 0, "The size of a frame is not negative.")
    let storage = unsafe make { unsafe zmq_msg_init_size($0, size) }
    let target = unsafe UnsafeMutableRawBufferPointer(start: storage.header.base, count: size)
    var output = unsafe OutputRawSpan(buffer: target, initializedCount: 0)
    try initializer(&output)
    let written = unsafe output.finalize(for: target)
    precondition(written == size, "The initialiser of a frame must write every byte.")
    return storage
  }

  static func haveEqualBytes(_ left: MessageFrameStorage, _ right: MessageFrameStorage) -> Bool {
    guard left.count == right.count else { return false }
    return unsafe memcmp(left.header.base, right.header.base, left.count) == 0
  }

  /// Creates an object with an empty message, which `fill` replaces.
  private static func make(
    _ fill: (UnsafeMutablePointer<zmq_msg_t>) -> Int32
  ) -> MessageFrameStorage {
    let object = unsafe create(minimumCapacity: 1) { object in
      unsafe object.withUnsafeMutablePointerToElements { message in
        unsafe message.initialize(to: zmq_msg_t())
        unsafe zmq_msg_init(message)
        guard unsafe fill(message) == 0, let base = unsafe zmq_msg_data(message) else {
          preconditionFailure(
            "A frame needs memory: \(unsafe String(cString: zmq_strerror(errno)))")
        }
        unsafe share(message)
        return unsafe Content(base: base, count: zmq_msg_size(message))
      }
    }
    return unsafe unsafeDowncast(object, to: MessageFrameStorage.self)
  }

  /// Copies the message once, so that the "shared" flag is set before another thread sees the
  /// message.
  private static func share(_ message: UnsafeMutablePointer<zmq_msg_t>) {
    var copy = zmq_msg_t()
    unsafe zmq_msg_init(&copy)
    unsafe zmq_msg_copy(&copy, message)
    unsafe zmq_msg_close(&copy)
  }

  /// Passes a copy of the message to `body`, for `zmq_msg_send`, which owns the copy on success.
  func withCopy<R, E: Error>(_ body: (inout zmq_msg_t) throws(E) -> R) throws(E) -> R {
    var copy = zmq_msg_t()
    unsafe zmq_msg_init(&copy)
    unsafe withUnsafeMutablePointerToElements { _ = unsafe zmq_msg_copy(&copy, $0) }
    // On success, the message is empty, and closing the message does nothing.
    defer { unsafe zmq_msg_close(&copy) }
    return try body(&copy)
  }

  deinit {
    unsafe withUnsafeMutablePointerToElements { _ = unsafe zmq_msg_close($0) }
  }
}

/// Keeps an adopted array alive until libzmq has sent the array's bytes.
private final class AdoptedArray {
  let bytes: [UInt8]
  init(_ bytes: [UInt8]) { self.bytes = bytes }
}
