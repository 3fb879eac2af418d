import TestSupport
import Testing

@testable import SRTP

/// Tests of a sender and a receiver with a link that loses, reorders and repeats packets.
@Suite("Packets over a lossy link")
struct LossyLinkTests {
  /// A packet in transit.
  private struct Packet {
    let number: Int
    let plain: [UInt8]
    let protected: [UInt8]
  }

  /// Several streams. Each stream starts shortly before its roll-over counter rises.
  private struct Streams {
    var nextNumbers = (0..<3).map { 0x7fff - 300 * $0 }

    mutating func next(using random: inout SeededGenerator) -> (number: Int, packet: [UInt8]) {
      let stream = Int.random(in: 0..<nextNumbers.count, using: &random)
      // Jumps of the sequence number cause rollovers within a short test. To the receiver, a jump
      // looks like lost packets.
      let isJump = Int.random(in: 0..<40, using: &random) == 0
      nextNumbers[stream] += isJump ? Int.random(in: 1...6_000, using: &random) : 1
      let number = nextNumbers[stream]
      let packet = [UInt8].rtp(
        UInt16(number & 0xffff), ssrc: UInt32(stream), payload: number % 50, of: UInt8(stream))
      return (number, packet)
    }
  }

  @Test(
    "the receiver accepts each packet within the window exactly once",
    arguments: ProtectionProfile.allCases, 0..<12)
  func areAcceptedOnce(profile: ProtectionProfile, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let key = try #require(MasterKey.counting(profile))
    var sender = SRTPSender(key)
    var receiver = SRTPReceiver(key)
    var (streams, underWay): (Streams, [Packet]) = (Streams(), [])
    var accepted: Set<[UInt8]> = []
    var highest: [UInt32: Int] = [:]
    for _ in 0..<3_000 {
      let (number, plain) = streams.next(using: &random)
      let protected = try sender.protect(plain).get()
      if Int.random(in: 0..<10, using: &random) > 0 {
        underWay.append(Packet(number: number, plain: plain, protected: protected))
      }
      guard underWay.count > 30, let index = underWay.indices.randomElement(using: &random) else {
        continue
      }
      let packet = underWay[index]
      // The link keeps a copy of one packet in three, and delivers this copy later.
      if Int.random(in: 0..<3, using: &random) > 0 { underWay.remove(at: index) }
      let ssrc = UInt32(packet.plain[11])
      let result = receiver.open(packet.protected)
      guard packet.number > (highest[ssrc] ?? 0) - 1_024 else {
        #expect(throws: SRTPRefusal.self) { try result.get() }
        continue
      }
      if accepted.insert(packet.protected).inserted {
        #expect(result == .success(packet.plain))
      } else {
        #expect(result == .failure(.repeated))
      }
      highest[ssrc] = max(highest[ssrc] ?? 0, packet.number)
    }
    #expect(accepted.count > 500 && highest.values.contains { $0 > 0x1_0000 })
    #expect(sender.refusals.total == 0)
  }
}
