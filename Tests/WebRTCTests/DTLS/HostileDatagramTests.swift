import TestSupport
import Testing

@testable import WebRTC

@Suite("DTLS handshakes under attack")
struct HostileDatagramTests {
  @Test("unencrypted alerts never end a handshake")
  func ignoreClearAlerts() throws {
    var pair = try HandshakePair()
    var sequence: UInt64 = 1_000
    pair.meddle = { _, datagram in
      sequence += 1
      return [DTLSRecord.fatalAlert(40, sequence: sequence).bytes, datagram]
    }
    pair.run()
    #expect(pair.associations.count == 2)
  }

  @Test("a handshake joins fragments that overlap, repeat and arrive in any order")
  func overlap() throws {
    for seed in UInt64(0)..<50 {
      var generator = SeededGenerator(seed: seed)
      var pair = try HandshakePair()
      let hello = pair.ends[HandshakePair.client].poll(at: pair.clock.now)
      pair.note(hello, of: HandshakePair.client)
      let message = Array(try #require(hello.datagrams.first).dropFirst(13))
      for record in fragments(of: message, using: &generator) {
        let step = pair.ends[HandshakePair.server].receive(record.bytes, at: pair.clock.now)
        pair.take(step, of: HandshakePair.server)
      }
      #expect(pair.sent[HandshakePair.server] > 0, "seed \(seed)")
      pair.run()
      #expect(pair.associations.count == 2, "seed \(seed)")
    }
  }

  /// Returns fragments that cover a message. The fragments cover most of the message's bytes twice.
  private func fragments(
    of message: [UInt8], using generator: inout SeededGenerator
  ) -> [DTLSRecord] {
    let count = message.count - 12
    var ranges = stride(from: 0, to: count, by: 40).map { start in
      let first = max(0, start - Int.random(in: 0...30, using: &generator))
      return first..<min(count, start + 40 + Int.random(in: 0...30, using: &generator))
    }
    ranges += ranges.prefix(3)
    ranges.shuffle(using: &generator)
    return ranges.enumerated().map { index, range in
      .fragment(range, of: message, sequence: UInt64(index + 1))
    }
  }

  @Test("a handshake ends within its time limit despite changed datagrams")
  func mutations() throws {
    for seed in UInt64(0)..<300 {
      var generator = SeededGenerator(seed: seed)
      var pair = try HandshakePair()
      var last: [UInt8] = []
      pair.meddle = { _, datagram in
        defer { last = datagram }
        guard Int.random(in: 0..<3, using: &generator) == 0 else { return [datagram] }
        return [mutate(datagram, last, using: &generator), datagram]
      }
      pair.run()
      #expect(!pair.outcomes.contains(.running) && pair.clock.elapsed <= .seconds(30))
    }
  }

  private func mutate(
    _ datagram: [UInt8], _ last: [UInt8], using generator: inout SeededGenerator
  ) -> [UInt8] {
    var changed = datagram
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: changed[Int.random(in: changed.indices, using: &generator)] ^= 1 << 5
    case 1: changed.removeLast(Int.random(in: 0..<changed.count, using: &generator))
    case 2: changed = last + changed
    case 3: changed = changed.prefix(13) + generator.bytes(100)
    default: changed = generator.bytes(200)
    }
    return changed
  }

  @Test("a server sends one flight for a hello, even if the hello is repeated")
  func repeatHello() throws {
    var pair = try HandshakePair()
    let hello = pair.ends[HandshakePair.client].poll(at: pair.clock.now)
    let datagram = try #require(hello.datagrams.first)
    for _ in 0..<200 {
      let step = pair.ends[HandshakePair.server].receive(datagram, at: pair.clock.now)
      pair.note(step, of: HandshakePair.server)
    }
    #expect((1...2_400).contains(pair.sent[HandshakePair.server]))
  }

  @Test("a server sends at most thirteen flights to a peer that never answers")
  func flightsToSilentPeer() throws {
    var pair = try HandshakePair()
    let hello = pair.ends[HandshakePair.client].poll(at: pair.clock.now)
    let server = pair.ends[HandshakePair.server]
    var step = server.receive(try #require(hello.datagrams.first), at: pair.clock.now)
    pair.note(step, of: HandshakePair.server)
    let flight = pair.sent[HandshakePair.server]
    while let deadline = step.deadline {
      pair.clock.advance(to: deadline)
      step = server.poll(at: pair.clock.now)
      pair.note(step, of: HandshakePair.server)
    }
    #expect(server.outcome == .failed(.timedOut))
    #expect(pair.sent[HandshakePair.server] <= 13 * flight)
  }

  @Test("a handshake fails when an unauthenticated peer exceeds the limit of datagrams")
  func limitOfDatagrams() throws {
    let small = DTLSHandshakeLimits(datagrams: 3)
    let pair = try HandshakePair(limits: small)
    let server = pair.ends[HandshakePair.server]
    for _ in 0..<3 { _ = server.receive([0], at: pair.clock.now) }
    #expect(server.outcome == .running)
    #expect(server.receive([0], at: pair.clock.now).outcome == .failed(.tooManyDatagrams))
  }

  @Test("a handshake fails when an unauthenticated peer exceeds the limit of bytes")
  func limitOfBytes() throws {
    let pair = try HandshakePair(limits: DTLSHandshakeLimits(bytes: 10))
    let step = pair.ends[HandshakePair.server].receive(
      [UInt8](repeating: 0, count: 11), at: pair.clock.now)
    #expect(step.outcome == .failed(.tooManyDatagrams) && step.deadline == nil)
  }

  @Test("a handshake fails when the peer's first message cannot start a handshake")
  func wrongMessage() throws {
    let pair = try HandshakePair()
    let finished = DTLSRecord(
      type: DTLSRecord.handshake,
      content: [20, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 12]
        + [UInt8](repeating: 0, count: 12))
    let step = pair.ends[HandshakePair.server].receive(finished.bytes, at: pair.clock.now)
    #expect(step.outcome == .failed(.malformed))
  }
}
