import COpenSSL
import Testing

@testable import WebRTC

@Suite("DTLS associations that are done")
struct DTLSAssociationTests {
  private func donePair() throws -> HandshakePair {
    var pair = try HandshakePair()
    pair.run()
    try #require(pair.associations.count == 2)
    return pair
  }

  @Test("do not show their keys when they are logged")
  func hideKeys() throws {
    let pair = try donePair()
    for association in pair.associations {
      var dumped = ""
      dump(association, to: &dumped)
      let numbers = association.keyingMaterial.prefix(3).map { "\($0)" }.joined(separator: ", ")
      for text in ["\(association)", String(reflecting: association), "\(pair.outcomes)", dumped] {
        #expect(text.contains(association.cipher) && !text.contains(numbers))
        #expect(!text.contains("keys"))
      }
    }
  }

  @Test("need no more polls", arguments: 0..<2)
  func needNoPolls(end: Int) throws {
    let pair = try donePair()
    let step = pair.ends[end].poll(at: pair.clock.now)
    #expect(step.deadline == nil && step.datagrams.isEmpty)
  }

  @Test("end at both ends when one closes", arguments: 0..<2)
  func close(end: Int) throws {
    var pair = try donePair()
    pair.take(pair.ends[end].close(at: pair.clock.now), of: end)
    pair.run()
    #expect(pair.outcomes == [.closed, .closed])
    #expect(pair.ends[end].close(at: pair.clock.now).datagrams.isEmpty)
  }

  @Test("ignore application data", arguments: 0..<2)
  func ignoreApplicationData(end: Int) throws {
    let pair = try donePair()
    let session = pair.ends[end].session
    let data = [UInt8](repeating: 7, count: 100)
    #expect(session.withBuffers { SSL_write(session.handle, data, 100) } == 100)
    try expectNoAnswer(to: session.takeOutgoing(), at: 1 - end, of: pair)
  }

  @Test("ignore alerts, messages and data in clear", arguments: 0..<2)
  func ignoreClear(end: Int) throws {
    let hello = try firstHello()
    let pair = try donePair()
    let alert = DTLSRecord.fatalAlert(0, sequence: 900).bytes
    let data = DTLSRecord(type: DTLSRecord.applicationData, content: [1]).bytes
    let forged = DTLSRecord(
      type: DTLSRecord.alert, epoch: 1, sequence: 90, content: [UInt8](repeating: 3, count: 26))
    try expectNoAnswer(to: [hello, alert, data, forged.bytes], at: end, of: pair)
  }

  private func firstHello() throws -> [UInt8] {
    let pair = try HandshakePair()
    let step = pair.ends[HandshakePair.client].poll(at: pair.clock.now)
    return try #require(step.datagrams.first)
  }

  private func expectNoAnswer(
    to datagrams: [[UInt8]], at end: Int, of pair: borrowing HandshakePair
  ) throws {
    try #require(!datagrams.isEmpty)
    for datagram in datagrams {
      let step = pair.ends[end].receive(datagram, at: pair.clock.now)
      #expect(step.datagrams.isEmpty && step.outcome == pair.outcomes[1 - end].seen(from: end))
    }
  }

  @Test("refuse to renegotiate with an alert and go on", arguments: 0..<2)
  func refuseRenegotiation(end: Int) throws {
    let pair = try donePair()
    let before = pair.outcomes
    let request = try renegotiation(of: pair.ends[end].session)
    let step = pair.ends[1 - end].receive(request, at: pair.clock.now)
    #expect(step.datagrams.map(\.first) == [DTLSRecord.alert])
    #expect(pair.outcomes == before)
  }

  /// The message with which an end asks to renegotiate, although its settings forbid it.
  private func renegotiation(of session: DTLSSession) throws -> [UInt8] {
    SSL_clear_options(session.handle, 1 << 30)
    try #require(SSL_renegotiate(session.handle) == 1)
    _ = session.withBuffers { SSL_do_handshake(session.handle) }
    return try #require(session.takeOutgoing().first)
  }

  @Test("survive a peer that repeats its last flight without end")
  func surviveRepetition() throws {
    var pair = try HandshakePair()
    var finished: [[UInt8]] = []
    pair.meddle = { end, datagram in
      if end == HandshakePair.server { finished.append(datagram) }
      return [datagram]
    }
    pair.run()
    let before = pair.outcomes
    for _ in 0..<100 {
      for datagram in finished {
        _ = pair.ends[HandshakePair.server].receive(datagram, at: pair.clock.now)
      }
    }
    #expect(pair.outcomes == before)
  }
}

extension DTLSOutcome {
  /// The outcome of the other end, whose role is the opposite.
  fileprivate func seen(from end: Int) -> DTLSOutcome {
    guard case .done(let association) = self else { return self }
    return .done(
      DTLSAssociation(
        role: end == 0 ? .client : .server, profile: association.profile,
        keys: association.keys, cipher: association.cipher, version: association.version))
  }
}
