import Foundation
import TestSupport
import Testing

@Suite("Connections over bad networks")
struct PeerNetworkTests {
  /// The number of seeds in a run. The environment variable `PEER_SEEDS` sets another number.
  private static let seeds =
    ProcessInfo.processInfo.environment["PEER_SEEDS"].flatMap(UInt64.init) ?? 2_000

  /// The number of parts into which the test divides the seeds. The parts run at the same time.
  private static let parts: UInt64 = 4

  @Test(
    "ICE, DTLS and SRTP together deliver each packet that the network delivers, exactly once",
    arguments: 0..<parts)
  func deliver(part: UInt64) throws {
    var moved = 0
    for seed in stride(from: part, to: Self.seeds, by: Int(Self.parts)) {
      var generator = SeededGenerator(seed: seed)
      let pair = try PeerPair(.random(using: &generator), seed: seed)
      try pair.run()
      if pair.hasMoved { moved += 1 }
      guard let media = pair.ends[0], let browser = pair.ends[1] else {
        Issue.record("seed \(seed): The connection did not open.")
        continue
      }
      expectDelivery(from: media, to: browser, seed)
      expectDelivery(from: browser, to: media, seed)
    }
    // About half of the browsers try to move to their second address. Some of these browsers
    // receive no answer there in time.
    #expect(moved > Int(Self.seeds / Self.parts) / 8)
  }

  /// Expects that an end accepted each arrived datagram exactly once, and that the accepted packet
  /// is the packet that the other end sent.
  private func expectDelivery(from sender: SecuredEnd, to receiver: SecuredEnd, _ seed: UInt64) {
    #expect(sender.sent.count == PeerPair.packets, "seed \(seed)")
    #expect(!receiver.arrived.isEmpty, "seed \(seed)")
    for datagram in receiver.arrived.keys {
      let packet = sender.sent[datagram]
      guard let packet, receiver.accepted[datagram] == [packet] else {
        Issue.record("seed \(seed): accepted \(receiver.accepted[datagram]?.count ?? 0) times")
        return
      }
    }
  }
}
