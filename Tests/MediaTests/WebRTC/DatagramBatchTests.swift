import Testing
import WebRTC

@testable import Media

@Suite struct DatagramBatchTests {
  private static let loopback: [UInt8] = [127, 0, 0, 1]
  private static let loopback6 = [UInt8](repeating: 0, count: 15) + [1]

  private static func batch(of count: Int, to address: UDPAddress) -> DatagramBatch {
    var batch = DatagramBatch()
    for number in 0..<count { append(number, to: address, of: &batch) }
    return batch
  }

  private static func append(
    _ number: Int, to address: UDPAddress, of batch: inout DatagramBatch
  ) {
    let isTaken = batch.append([UInt8(number), 7].span, to: address)
    #expect(isTaken)
  }

  private static func address(
    of socket: borrowing UDPSocket, at host: [UInt8] = loopback
  ) -> UDPAddress { UDPAddress(host: host, port: socket.port) }

  /// Returns the first bytes of all waiting datagrams, and the source of the last datagram.
  private static func received(
    over socket: borrowing UDPSocket
  ) -> (numbers: [UInt8], from: UDPAddress?) {
    var batch = DatagramBatch()
    var room = [UInt8](repeating: 0, count: DatagramBatch.datagramBytes)
    var (numbers, from) = ([UInt8](), UDPAddress?.none)
    repeat {
      batch.receive(over: socket.descriptor)
      for index in 0..<batch.count {
        guard let datagram = batch.copy(index, into: &room) else { continue }
        let (length, second) = (datagram.count, room[1])
        #expect(length == 2 && second == 7)
        numbers.append(room[0])
        from = datagram.from
      }
    } while batch.count > 0
    return (numbers, from)
  }

  @Test func `datagrams of a batch arrive complete, in order and with their sender's address`()
    throws
  {
    let here = try UDPSocket(at: Self.loopback, port: 0)
    let there = try UDPSocket(at: Self.loopback, port: 0)
    var batch = Self.batch(of: DatagramBatch.capacity, to: Self.address(of: there))
    let (isFull, unsent) = (batch.isFull, batch.send(over: here.descriptor))
    let left = batch.count
    #expect(isFull && unsent == 0 && left == 0)
    let (received, sender) = (Self.received(over: there), Self.address(of: here))
    #expect(received.numbers == Array(0..<UInt8(DatagramBatch.capacity)))
    #expect(received.from == sender)
  }

  @Test func `one batch can send datagrams to IPv4 addresses and IPv6 addresses`() throws {
    let here = try UDPSocket(at: [UInt8](repeating: 0, count: 16), port: 0)
    let four = try UDPSocket(at: Self.loopback, port: 0)
    let six = try UDPSocket(at: Self.loopback6, port: 0)
    var batch = DatagramBatch()
    for number in 0..<3 {
      Self.append(number, to: Self.address(of: four), of: &batch)
      Self.append(number, to: Self.address(of: six, at: Self.loopback6), of: &batch)
    }
    let unsent = batch.send(over: here.descriptor)
    #expect(unsent == 0)
    let numbers = [Self.received(over: four).numbers, Self.received(over: six).numbers]
    #expect(numbers == [[0, 1, 2], [0, 1, 2]])
    // A port for IPv4 and IPv6 reports an IPv4 address as IPv4.
    var answer = Self.batch(of: 1, to: Self.address(of: here))
    _ = answer.send(over: four.descriptor)
    let (from, sender) = (Self.received(over: here).from, Self.address(of: four))
    #expect(from == sender)
  }

  @Test func `a destination that the system refuses does not affect other datagrams`() throws {
    let here = try UDPSocket(at: Self.loopback, port: 0)
    let there = try UDPSocket(at: Self.loopback, port: 0)
    // Broadcast needs an option that the socket does not have (ip(7)).
    let forbidden = UDPAddress(host: [255, 255, 255, 255], port: 9)
    var batch = DatagramBatch()
    for number in 0..<5 {
      Self.append(number, to: number % 2 == 0 ? forbidden : Self.address(of: there), of: &batch)
    }
    let unsent = batch.send(over: here.descriptor)
    let numbers = Self.received(over: there).numbers
    #expect(unsent == 3 && numbers == [1, 3])
  }

  @Test func `a batch continues after partial sending and stops when the system's buffer is full`()
  {
    var batch = Self.batch(of: 10, to: UDPAddress(host: Self.loopback, port: 9))
    var replies: [DatagramBatch.SyscallResult] = [.taken(3), .refused, .taken(2), .full]
    var calls: [[Int]] = []
    let unsent = batch.send { first, count in
      calls.append([first, count])
      return replies.removeFirst()
    }
    #expect(calls == [[0, 10], [3, 7], [4, 6], [6, 4]])
    let left = batch.count
    #expect(unsent == 1 + 4 && left == 0)
  }

  /// Adds a datagram whose bytes are all equal.
  private static func append(
    _ value: UInt8, size: Int, to address: UDPAddress, of batch: inout DatagramBatch
  ) {
    let isTaken = batch.append([UInt8](repeating: value, count: size).span, to: address)
    #expect(isTaken)
  }

  /// Returns the first byte and the size of each waiting datagram.
  private static func sizes(over socket: borrowing UDPSocket) -> [[Int]] {
    var batch = DatagramBatch()
    var room = [UInt8](repeating: 0, count: DatagramBatch.datagramBytes)
    var sizes: [[Int]] = []
    batch.receive(over: socket.descriptor)
    for index in 0..<batch.count {
      guard let datagram = batch.copy(index, into: &room) else { continue }
      let bytes = Array(room[..<datagram.count])
      #expect(bytes == [UInt8](repeating: room[0], count: datagram.count))
      sizes.append([Int(room[0]), datagram.count])
    }
    return sizes
  }

  @Test func `datagrams that a batch sends as one message arrive separately and in order`() throws {
    let here = try UDPSocket(at: Self.loopback, port: 0)
    let one = try UDPSocket(at: Self.loopback, port: 0)
    let other = try UDPSocket(at: Self.loopback, port: 0)
    var batch = DatagramBatch(capacity: 200)
    batch.joinsRuns = here.dividesMessages
    // The first run ends with a smaller datagram. The second run ends before a larger datagram. The
    // third run ends with a datagram that is too small to begin a run.
    let sizes = [1_200, 1_200, 900, 1_200, 1_201, 1_201, 60, 1_201]
    for (number, size) in sizes.enumerated() {
      Self.append(UInt8(number), size: size, to: Self.address(of: one), of: &batch)
      Self.append(UInt8(100 + number), size: size, to: Self.address(of: other), of: &batch)
    }
    let unsent = batch.send(over: here.descriptor)
    #expect(unsent == 0)
    let arrived = [Self.sizes(over: one), Self.sizes(over: other)]
    for (start, arrived) in zip([0, 100], arrived) {
      #expect(arrived == sizes.enumerated().map { [start + $0.offset, $0.element] })
    }
  }

  @Test func `a message contains at most 64 datagrams`() {
    var batch = DatagramBatch(capacity: 200)
    batch.joinsRuns = true
    for _ in 0..<150 {
      Self.append(1, size: 600, to: UDPAddress(host: Self.loopback, port: 9), of: &batch)
    }
    var messages: [Int] = []
    let unsent = batch.send { _, count in
      messages.append(count)
      return .taken(count)
    }
    #expect(messages == [3] && unsent == 0)
  }

  @Test func `a batch sends the datagrams of a refused run one by one`() {
    var batch = DatagramBatch(capacity: 10)
    batch.joinsRuns = true
    for _ in 0..<3 {
      Self.append(1, size: 1_000, to: UDPAddress(host: Self.loopback, port: 9), of: &batch)
      Self.append(2, size: 1_000, to: UDPAddress(host: Self.loopback, port: 10), of: &batch)
    }
    var replies: [DatagramBatch.SyscallResult] = [
      .refused, .taken(1), .refused, .taken(1), .taken(1),
    ]
    var calls: [[Int]] = []
    let unsent = batch.send { first, count in
      calls.append([first, count])
      return replies.removeFirst()
    }
    #expect(calls == [[0, 2], [10, 1], [10, 1], [10, 1], [1, 1]])
    #expect(unsent == 1)
  }

  @Test func `a batch refuses a datagram that is too long`() {
    var batch = DatagramBatch()
    let long = [UInt8](repeating: 0, count: DatagramBatch.datagramBytes + 1)
    let isTaken = batch.append(long.span, to: UDPAddress(host: Self.loopback, port: 9))
    let left = batch.count
    #expect(!isTaken && left == 0)
  }
}

@Suite struct WebRTCConfigurationTests {
  @Test(arguments: [
    (["192.0.2.1"], 4), (["2001:db8::1"], 16), (["192.0.2.1", "2001:db8::1"], 16),
    (["2001:db8::1", "192.0.2.1"], 16),
  ])
  func `media listens on all addresses of the family that browsers use`(
    addresses: [String], bytes: Int
  ) throws {
    let configuration = try #require(WebRTCConfiguration(addresses: addresses, port: 0))
    #expect(configuration.listen == [UInt8](repeating: 0, count: bytes))
    #expect(configuration.hosts.count == addresses.count)
  }
}
