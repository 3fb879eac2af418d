internal import CSocket
internal import Glibc
import WebRTC

/// Datagrams that one system call sends or receives (sendmmsg(2), recvmmsg(2)).
///
/// A batch can send a run of large datagrams to the same address as one message. The system then
/// divides the message into datagrams (UDP_SEGMENT of udp(7)). The number of datagrams in a message
/// has little influence on the system's work for the message.
///
/// The type allocates its memory once. This type and ``UDPSocket`` are the only types of the module
/// that make system calls for datagrams. The type owns its pointers and frees them.
@safe struct DatagramBatch: ~Copyable {
  /// A `struct mmsghdr`. The C library declares this type only with GNU's extensions.
  @unsafe private struct Message {
    var header = unsafe msghdr()
    var byteCount: UInt32 = 0
  }

  /// Datagrams to the same address that the batch sends as one message. All datagrams except the
  /// last have the same size, and the last is not larger.
  private struct Run {
    /// The indices of the first and of the last datagram.
    let first: Int
    var last: Int
    var count = 1
    var bytes: Int
    /// Whether another datagram may extend the run.
    var isOpen: Bool
  }

  /// The default maximum number of datagrams in a batch.
  static let capacity = 64

  /// The maximum size of a datagram, in bytes.
  ///
  /// The system truncates longer datagrams on receipt. The batch does not send longer datagrams.
  static let datagramBytes = 2_048

  /// The number of datagrams in the batch.
  private(set) var count = 0

  /// Whether the batch sends each run of datagrams as one message.
  var joinsRuns = false

  /// The maximum number of datagrams in this batch.
  private let capacity: Int
  private let messages: UnsafeMutablePointer<Message>
  private let parts: UnsafeMutablePointer<iovec>
  private let names: UnsafeMutablePointer<sockaddr_storage>
  private let bytes: UnsafeMutablePointer<UInt8>

  // Only a batch that sends datagrams uses the following properties.

  /// The number of messages that contain the datagrams.
  private var messageCount = 0

  /// The number of runs that another datagram may extend.
  private var openRuns = 0
  private let addresses: UnsafeMutablePointer<UDPAddress>
  private let runs: UnsafeMutablePointer<Run>

  /// For each datagram of a run, the index of the next datagram of the run.
  private let following: UnsafeMutablePointer<Int>

  /// The addresses and sizes of all datagrams' bytes (iovec), in the order of the messages.
  private let gathered: UnsafeMutablePointer<iovec>

  /// The ancillary data of each message (cmsg(3)).
  private let controls: UnsafeMutablePointer<UInt8>

  init(capacity: Int = DatagramBatch.capacity) {
    self.capacity = capacity
    // The last message is a spare, for a datagram of a run that the system has refused.
    unsafe messages = Self.room(for: capacity + 1, of: Message())
    unsafe parts = Self.room(for: capacity, of: iovec())
    unsafe names = Self.room(for: capacity + 1, of: sockaddr_storage())
    unsafe bytes = Self.room(for: capacity * Self.datagramBytes, of: 0)
    unsafe addresses = Self.room(for: capacity, of: UDPAddress(ipv4: 0, port: 0))
    unsafe runs = Self.room(for: capacity + 1, of: Run(first: 0, last: 0, bytes: 0, isOpen: false))
    unsafe following = Self.room(for: capacity, of: 0)
    unsafe gathered = Self.room(for: capacity + 1, of: iovec())
    unsafe controls = Self.room(for: (capacity + 1) * Self.controlBytes, of: 0)
    for index in 0..<capacity { point(index) }
  }

  private static func room<Value>(
    for count: Int, of value: Value
  ) -> UnsafeMutablePointer<Value> {
    let room = UnsafeMutablePointer<Value>.allocate(capacity: count)
    unsafe room.initialize(repeating: value, count: count)
    return unsafe room
  }

  deinit {
    unsafe messages.deallocate()
    unsafe parts.deallocate()
    unsafe names.deallocate()
    unsafe bytes.deallocate()
    unsafe addresses.deallocate()
    unsafe runs.deallocate()
    unsafe following.deallocate()
    unsafe gathered.deallocate()
    unsafe controls.deallocate()
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
    unsafe messages[index].header.msg_control = nil
    unsafe messages[index].header.msg_controllen = 0
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
    while index < capacity {
      point(index)
      index += 1
    }
    let flags = Int32(MSG_DONTWAIT)
    count = max(0, Int(unsafe recvmmsg(descriptor, messages, UInt32(capacity), flags, nil)))
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

  var isFull: Bool { count == capacity }

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
    unsafe addresses[count] = address
    count += 1
    return true
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
    findRuns()
    writeMessages()
    var (next, dropped) = (0, 0)
    while next < messageCount {
      switch call(next, messageCount - next) {
      case .taken(let taken): next += taken
      case .full:
        while next < messageCount {
          dropped += unsafe runs[next].count
          next += 1
        }
      case .refused:
        dropped += sendApart(next, by: call)
        next += 1
      }
    }
    count = 0
    return dropped
  }

  /// Sends the datagrams of a refused message one by one.
  ///
  /// The system may refuse a run but accept each datagram of the run, for example if the MTU of the
  /// network path is small.
  ///
  /// - Returns: The number of datagrams that the system did not accept.
  private func sendApart(
    _ message: Int, by call: (_ first: Int, _ count: Int) -> SyscallResult
  ) -> Int {
    let count = unsafe runs[message].count
    guard count > 1 else { return 1 }
    var (datagram, sent, dropped) = unsafe (runs[message].first, 0, 0)
    while sent < count {
      let spare = capacity
      unsafe runs[spare] = Run(first: datagram, last: datagram, bytes: 0, isOpen: false)
      unsafe gathered[spare] = parts[datagram]
      writeHeader(of: spare, 1, at: spare)
      if call(spare, 1) != .taken(1) { dropped += 1 }
      datagram = unsafe following[datagram]
      sent += 1
    }
    return dropped
  }
}

// MARK: - Runs

extension DatagramBatch {
  /// The smallest size, in bytes, of the first datagram of a run. Datagrams of sound are smaller,
  /// and each of these datagrams goes to a different address.
  private static let leastRunBytes = 500

  /// The maximum number of datagrams in a message (UDP_MAX_SEGMENTS of Linux).
  private static let mostSegments = 64

  /// The maximum size of a message, in bytes. Over IPv4, the system accepts messages of at most
  /// 65,507 bytes.
  private static let mostMessageBytes = 65_000

  /// The size, in bytes, of a `struct cmsghdr` with a 16-bit number and the padding.
  private static let controlBytes = 24

  /// Divides the datagrams into runs, and keeps the order of the datagrams to each address.
  private mutating func findRuns() {
    (messageCount, openRuns) = (0, 0)
    var index = 0
    while index < count {
      if !extendRun(with: index) {
        let size = unsafe parts[index].iov_len
        let isOpen = joinsRuns && size >= Self.leastRunBytes
        unsafe runs[messageCount] = Run(first: index, last: index, bytes: size, isOpen: isOpen)
        messageCount += 1
        if isOpen { openRuns += 1 }
      }
      index += 1
    }
  }

  /// Adds a datagram to the open run of the same address. If the datagram does not fit into this
  /// run, closes the run.
  private mutating func extendRun(with index: Int) -> Bool {
    guard openRuns > 0 else { return false }
    let size = unsafe parts[index].iov_len
    var run = 0
    while run < messageCount {
      if unsafe runs[run].isOpen, unsafe addresses[runs[run].first] == addresses[index] {
        let usual = unsafe parts[runs[run].first].iov_len
        guard size <= usual, unsafe runs[run].count < Self.mostSegments,
          unsafe runs[run].bytes + size <= Self.mostMessageBytes
        else {
          unsafe runs[run].isOpen = false
          openRuns -= 1
          return false
        }
        unsafe following[runs[run].last] = index
        unsafe runs[run].last = index
        unsafe runs[run].count += 1
        unsafe runs[run].bytes += size
        if size < usual {
          unsafe runs[run].isOpen = false
          openRuns -= 1
        }
        return true
      }
      run += 1
    }
    return false
  }

  private mutating func writeMessages() {
    var (message, offset) = (0, 0)
    while message < messageCount {
      let count = unsafe runs[message].count
      var (datagram, part) = unsafe (runs[message].first, 0)
      writeHeader(of: message, count, at: offset)
      while part < count {
        unsafe gathered[offset + part] = parts[datagram]
        datagram = unsafe following[datagram]
        part += 1
      }
      offset += count
      message += 1
    }
  }

  private func writeHeader(of message: Int, _ count: Int, at offset: Int) {
    let first = unsafe runs[message].first
    unsafe messages[message].header.msg_iov = gathered + offset
    unsafe messages[message].header.msg_iovlen = count
    name(message, unsafe addresses[first])
    guard count > 1 else {
      unsafe messages[message].header.msg_control = nil
      unsafe messages[message].header.msg_controllen = 0
      return
    }
    let control = unsafe UnsafeMutableRawPointer(controls + message * Self.controlBytes)
    let size = unsafe UInt16(parts[first].iov_len)
    unsafe control.storeBytes(of: 18, as: Int.self)
    unsafe control.storeBytes(of: CSOCKET_SOL_UDP, toByteOffset: 8, as: Int32.self)
    unsafe control.storeBytes(of: CSOCKET_UDP_SEGMENT, toByteOffset: 12, as: Int32.self)
    unsafe control.storeBytes(of: size, toByteOffset: 16, as: UInt16.self)
    unsafe messages[message].header.msg_control = control
    unsafe messages[message].header.msg_controllen = Self.controlBytes
  }

  private func name(_ message: Int, _ address: UDPAddress) {
    let place = unsafe UnsafeMutableRawPointer(names + message)
    let size: Int
    if address.isIPv6 {
      unsafe place.storeBytes(of: sockaddr_in6(address), as: sockaddr_in6.self)
      size = MemoryLayout<sockaddr_in6>.size
    } else {
      unsafe place.storeBytes(of: sockaddr_in(address), as: sockaddr_in.self)
      size = MemoryLayout<sockaddr_in>.size
    }
    unsafe messages[message].header.msg_name = place
    unsafe messages[message].header.msg_namelen = socklen_t(size)
  }
}
