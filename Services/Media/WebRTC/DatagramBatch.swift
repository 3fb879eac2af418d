internal import CSocket
internal import Glibc
import WebRTC

/// Datagrams that leave by one call of the system, or that came by one (sendmmsg(2), recvmmsg(2)).
///
/// Its memory is taken once. Beside the socket the only place of this module that calls the system
/// for datagrams. The pointers stay its own, and are freed with it.
@safe struct DatagramBatch: ~Copyable {
  /// A `struct mmsghdr`, which the C library hides without GNU's extensions.
  @unsafe private struct Message {
    var header = unsafe msghdr()
    var byteCount: UInt32 = 0
  }

  /// The most datagrams of a batch.
  static let capacity = 64

  /// The most bytes of a datagram; longer ones are cut off when they come, and not sent.
  static let datagramBytes = 2_048

  /// The datagrams in it.
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

  /// Has a message name its part, its address and its bytes.
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
  /// Takes the datagrams that wait, up to its capacity.
  mutating func receive(over descriptor: Int32) {
    var index = 0
    // Written out, as all loops here, because a `for` allocates in a debug build.
    while index < Self.capacity {
      unsafe parts[index].iov_len = Self.datagramBytes
      unsafe messages[index].header.msg_namelen = Self.nameBytes
      index += 1
    }
    let flags = Int32(MSG_DONTWAIT)
    count = max(0, Int(unsafe recvmmsg(descriptor, messages, UInt32(Self.capacity), flags, nil)))
  }

  /// Copies a datagram to the beginning of `room`, which has ``datagramBytes``.
  ///
  /// - Returns: Its bytes, and where it is from; `nil`: from no address of IP.
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
  /// What the system made of messages.
  enum Reply: Hashable {
    /// It took so many of them, at least one.
    case taken(Int)
    /// It has no room for any of them now.
    case full
    /// It cannot send the first one.
    case refused
  }

  var isFull: Bool { count == Self.capacity }

  /// Adds a datagram to a batch that is not full.
  ///
  /// - Returns: Whether it was short enough.
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

  /// Sends all, and is empty then. What one destination cannot be sent harms no other.
  ///
  /// - Returns: How many datagrams the system did not take.
  mutating func send(over descriptor: Int32) -> Int {
    let messages = unsafe messages
    return send { first, count in
      let flags = Int32(MSG_DONTWAIT)
      let taken = unsafe sendmmsg(descriptor, messages + first, UInt32(count), flags)
      guard taken <= 0 else { return .taken(Int(taken)) }
      return errno == EAGAIN ? .full : .refused
    }
  }

  /// The same, by any way to send.
  ///
  /// - Parameter call: Sends so many messages from an index on.
  mutating func send(by call: (_ first: Int, _ count: Int) -> Reply) -> Int {
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
