internal import CSocket
internal import Glibc
import WebRTC

/// Datagrams that one system call sends or receives (sendmmsg(2), recvmmsg(2)).
///
/// The type allocates its memory once. This type and ``UDPSocket`` are the only types of the module
/// that make system calls for datagrams. The type owns its pointers and frees them.
@safe struct DatagramBatch: ~Copyable {
  /// A `struct mmsghdr`. The C library declares this type only with GNU's extensions.
  @unsafe private struct Message {
    var header = unsafe msghdr()
    var byteCount: UInt32 = 0
  }

  /// The maximum number of datagrams in a batch.
  static let capacity = 64

  /// The maximum size of a datagram, in bytes.
  ///
  /// The system truncates longer datagrams on receipt. The batch does not send longer datagrams.
  static let datagramBytes = 2_048

  /// The number of datagrams in the batch.
  private(set) var count = 0

  private let messages = UnsafeMutablePointer<Message>.allocate(capacity: capacity)
  private let parts = UnsafeMutablePointer<iovec>.allocate(capacity: capacity)
  private let names = UnsafeMutablePointer<sockaddr_storage>.allocate(capacity: capacity)
  private let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * datagramBytes)

  init() {
    unsafe messages.initialize(repeating: Message(), count: Self.capacity)
    unsafe parts.initialize(repeating: iovec(), count: Self.capacity)
    unsafe names.initialize(repeating: sockaddr_storage(), count: Self.capacity)
    unsafe bytes.initialize(repeating: 0, count: Self.capacity * Self.datagramBytes)
    for index in 0..<Self.capacity { point(index) }
  }

  deinit {
    unsafe messages.deallocate()
    unsafe parts.deallocate()
    unsafe names.deallocate()
    unsafe bytes.deallocate()
  }

  /// Sets the pointers of a message to the two buffers of this message: the buffer for the bytes,
  /// and the buffer for the address.
  private func point(_ index: Int) {
    unsafe parts[index].iov_base = UnsafeMutableRawPointer(bytes + index * Self.datagramBytes)
    unsafe parts[index].iov_len = Self.datagramBytes
    unsafe messages[index].header.msg_iov = parts + index
    unsafe messages[index].header.msg_iovlen = 1
    unsafe messages[index].header.msg_name = UnsafeMutableRawPointer(names + index)
    unsafe messages[index].header.msg_namelen = Self.nameBytes
  }

  private static let nameBytes = socklen_t(MemoryLayout<sockaddr_storage>.size)
}

// MARK: - Receiving

extension DatagramBatch {
  /// Receives the waiting datagrams, up to the capacity.
  mutating func receive(over descriptor: Int32) {
    var index = 0
    // This loop and the other loops of this type use `while`, because `for` allocates memory in a
    // debug build.
    while index < Self.capacity {
      unsafe parts[index].iov_len = Self.datagramBytes
      unsafe messages[index].header.msg_namelen = Self.nameBytes
      index += 1
    }
    let flags = Int32(MSG_DONTWAIT)
    count = max(0, Int(unsafe recvmmsg(descriptor, messages, UInt32(Self.capacity), flags, nil)))
  }

  /// Copies a datagram to the start of `room`, which has ``datagramBytes`` bytes.
  ///
  /// - Returns: The size and the sender's address; `nil` if the sender has no IP address.
  func copy(_ index: Int, into room: inout [UInt8]) -> (count: Int, from: UDPAddress)? {
    precondition(index < count && room.count >= Self.datagramBytes, "There is such a datagram.")
    guard let address = unsafe UDPSocket.address(names[index]) else { return nil }
    let length = unsafe Int(messages[index].byteCount)
    unsafe room.withUnsafeMutableBytes { room in
      let source = unsafe UnsafeRawPointer(bytes + index * Self.datagramBytes)
      unsafe room.baseAddress?.copyMemory(from: source, byteCount: length)
    }
    return (length, address)
  }
}

// MARK: - Sending

extension DatagramBatch {
  /// The system's answer to a call that sends messages.
  enum SyscallResult: Hashable {
    /// The system accepted this number of messages, at least one.
    case taken(Int)
    /// The system has no room for a message now.
    case full
    /// The system cannot send the first message.
    case refused
  }

  var isFull: Bool { count == Self.capacity }

  /// Adds a datagram to a batch that is not full.
  ///
  /// - Returns: Whether the datagram was short enough.
  mutating func append(_ datagram: Span<UInt8>, to address: UDPAddress) -> Bool {
    guard datagram.count <= Self.datagramBytes else { return false }
    precondition(!isFull, "A full batch is sent first.")
    unsafe datagram.withUnsafeBytes { datagram in
      guard let source = datagram.baseAddress else { return }
      unsafe UnsafeMutableRawPointer(bytes + count * Self.datagramBytes)
        .copyMemory(from: source, byteCount: datagram.count)
    }
    unsafe parts[count].iov_len = datagram.count
    name(address)
    count += 1
    return true
  }

  private func name(_ address: UDPAddress) {
    let place = unsafe UnsafeMutableRawPointer(names + count)
    let size: Int
    if address.isIPv6 {
      unsafe place.storeBytes(of: sockaddr_in6(address), as: sockaddr_in6.self)
      size = MemoryLayout<sockaddr_in6>.size
    } else {
      unsafe place.storeBytes(of: sockaddr_in(address), as: sockaddr_in.self)
      size = MemoryLayout<sockaddr_in>.size
    }
    unsafe messages[count].header.msg_namelen = socklen_t(size)
  }

  /// Sends all datagrams, and empties the batch.
  ///
  /// A failure of one destination does not affect other destinations.
  ///
  /// - Returns: The number of datagrams that the system did not accept.
  mutating func send(over descriptor: Int32) -> Int {
    let messages = unsafe messages
    return send { first, count in
      let flags = Int32(MSG_DONTWAIT)
      let taken = unsafe sendmmsg(descriptor, messages + first, UInt32(count), flags)
      guard taken <= 0 else { return .taken(Int(taken)) }
      return errno == EAGAIN ? .full : .refused
    }
  }

  /// Sends all datagrams through `call`.
  ///
  /// - Parameter call: Sends a number of messages, starting at an index.
  mutating func send(by call: (_ first: Int, _ count: Int) -> SyscallResult) -> Int {
    var (next, dropped) = (0, 0)
    while next < count {
      switch call(next, count - next) {
      case .taken(let taken): next += taken
      case .full:
        dropped += count - next
        next = count
      case .refused:
        dropped += 1
        next += 1
      }
    }
    count = 0
    return dropped
  }
}
