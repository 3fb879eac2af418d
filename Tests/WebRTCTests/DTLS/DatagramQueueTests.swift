import Testing

@testable import WebRTC

@Suite("DTLS datagram queue")
struct DatagramQueueTests {
  @Test("the queue joins adjacent datagrams up to the size limit and keeps their order")
  func joins() {
    let queue = DatagramQueue()
    for datagram in [[1, 1], [2], [3, 3, 3], [4], [5, 5, 5, 5, 5], [6]] as [[UInt8]] {
      queue.write(datagram)
    }
    let joined = queue.takeOutgoing(mtu: 4)
    #expect(joined == [[1, 1, 2], [3, 3, 3, 4], [5, 5, 5, 5, 5], [6]])
    #expect(queue.takeOutgoing(mtu: 4).isEmpty)
  }

  @Test("the queue returns each datagram only once")
  func offers() {
    let queue = DatagramQueue()
    #expect(queue.read() == nil)
    queue.offer([1, 2])
    #expect(queue.read() == [1, 2] && queue.read() == nil)
  }
}
