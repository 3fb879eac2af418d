import HeapSize
import Testing

@testable import WebRTC

/// Each test runs in its own process, because other tests allocate memory at the same time.
@Suite("Memory of DTLS handshakes")
struct HandshakeMemoryTests {
  @Test("a completed handshake takes at most 4 KiB")
  func done() async {
    await #expect(processExitsWith: .success) {
      try expectHeap(of: 4 * 1_024) {
        var pair = try HandshakePair()
        pair.run()
        precondition(pair.associations.count == 2, "Both ends are done.")
        return [pair.ends[HandshakePair.server]]
      }
    }
  }

  @Test("a handshake takes at most 96 KiB when the peer sends only a hello")
  func unfinished() async {
    await #expect(processExitsWith: .success) {
      try expectHeap(of: 96 * 1_024) { [try server(after: [])] }
    }
  }

  @Test("a handshake takes at most 192 KiB when the peer starts many messages")
  func beginnings() async {
    await #expect(processExitsWith: .success) {
      let records = (UInt64(1)..<200).map { number in
        DTLSRecord(
          type: DTLSRecord.handshake, sequence: number,
          content: [11, 0, 0x1f, 0xff, 0, UInt8(number), 0, 0, 0, 0, 0, 1, 7])
      }
      try expectHeap(of: 192 * 1_024) { [try server(after: records.map(\.bytes))] }
    }
  }
}

/// Returns a server that has received a hello and then these datagrams.
private func server(after datagrams: [[UInt8]]) throws -> DTLSHandshake {
  let pair = try HandshakePair()
  let hello = pair.ends[HandshakePair.client].poll(at: pair.clock.now).datagrams
  let server = pair.ends[HandshakePair.server]
  for datagram in hello + datagrams { _ = server.receive(datagram, at: pair.clock.now) }
  precondition(server.outcome == .running, "The server waits: \(server.outcome)")
  return server
}

/// Stops the process if a handshake of `make` uses more than `most` bytes on average.
private func expectHeap(of most: Int, _ make: () throws -> [DTLSHandshake]) throws {
  _ = try make()
  let before = heap_size()
  let kept = try (0..<100).flatMap { _ in try make() }
  let each = (heap_size() - before) / kept.count
  precondition(each <= most, "A handshake takes \(each) bytes.")
}
