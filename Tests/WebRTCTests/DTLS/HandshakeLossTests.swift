import Foundation
import SRTP
import TestSupport
import Testing

@testable import WebRTC

@Suite("DTLS handshakes over bad networks")
struct HandshakeLossTests {
  /// The seeds of a run. The environment variable `DTLS_SEEDS` sets another number of seeds.
  private static let seeds =
    ProcessInfo.processInfo.environment["DTLS_SEEDS"].flatMap(UInt64.init) ?? 2_000

  @Test("handshakes agree on keys despite loss, delay, repetition and reordering")
  func complete() throws {
    for seed in 0..<Self.seeds {
      var generator = SeededGenerator(seed: seed)
      let link = VirtualNetwork.Link.random(using: &generator)
      var pair = try HandshakePair(VirtualNetwork(link, seed: seed))
      if seed.isMultiple(of: 2) { enlargeHello(of: pair.ends[HandshakePair.client]) }
      pair.run()
      let keys = pair.associations.map(\.keyingMaterial)
      #expect(keys.count == 2 && keys.first == keys.last, "seed \(seed): \(pair.outcomes)")
    }
  }

  @Test("a handshake ends within its time limit when no more datagrams arrive", arguments: 0..<8)
  func end(after datagrams: Int) throws {
    var pair = try HandshakePair()
    var left = datagrams
    pair.meddle = { _, datagram in
      left -= 1
      return left >= 0 ? [datagram] : []
    }
    pair.run()
    #expect(pair.clock.elapsed <= .seconds(30))
    #expect(!pair.outcomes.contains(.running))
  }

  @Test("a lost flight is sent again after 250 ms, and then at doubled intervals up to 3 s")
  func backOff() throws {
    let pair = try HandshakePair(VirtualNetwork(VirtualNetwork.Link(loss: 1)))
    var times: [Duration] = []
    let client = pair.ends[HandshakePair.client]
    var step = client.poll(at: pair.clock.now)
    while let deadline = step.deadline {
      times.append(deadline - pair.clock.now)
      pair.clock.advance(to: deadline)
      step = client.poll(at: pair.clock.now)
    }
    let expected = [0.25, 0.5, 1, 2, 3, 3, 3, 3, 3, 3, 3, 3, 2.25].map { Duration.seconds($0) }
    #expect(times == expected)
    #expect(client.outcome == .failed(.timedOut))
  }

  @Test("the client repeats its last flight when the flight was lost")
  func answerAgain() throws {
    var pair = try HandshakePair()
    var isLost = false
    let server = pair.ends[HandshakePair.server]
    pair.meddle = { end, datagram in
      guard !isLost, end == HandshakePair.client, server.outcome != .running else {
        return [datagram]
      }
      isLost = true
      return []
    }
    pair.run()
    #expect(isLost && pair.associations.count == 2)
  }
}
