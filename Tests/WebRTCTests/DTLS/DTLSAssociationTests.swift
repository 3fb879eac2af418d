import COpenSSL
import Testing

@testable import WebRTC

@Suite("Completed DTLS associations")
struct DTLSAssociationTests {
  private func donePair() throws -> HandshakePair {
    var pair = try HandshakePair()
    pair.run()
    try #require(pair.associations.count == 2)
    return pair
  }

  @Test("associations hide their keys in logs")
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

  @Test("a completed association needs no further polls", arguments: 0..<2)
  func needNoPolls(end: Int) throws {
    let pair = try donePair()
    let step = pair.ends[end].poll(at: pair.clock.now)
    #expect(step.deadline == nil && step.datagrams.isEmpty)
  }

  @Test("both ends close when one end closes", arguments: 0..<2)
  func close(end: Int) throws {
    var pair = try donePair()
    pair.take(pair.ends[end].close(at: pair.clock.now), of: end)
    pair.run()
    #expect(pair.outcomes == [.closed, .closed])
    #expect(pair.ends[end].close(at: pair.clock.now).datagrams.isEmpty)
  }

  @Test("a completed association ignores application data", arguments: 0..<2)
  func ignoreApplicationData(end: Int) throws {
    let pair = try donePair()
    let content = [UInt8](repeating: 7, count: 100)
    let data = try record(content, DTLSRecord.applicationData, of: end, pair)
    try expectNoAnswer(to: [data], at: 1 - end, of: pair)
  }

  /// Returns the next record of an end, with this content and type.
  private func record(
    _ content: [UInt8], _ type: UInt8, of end: Int, _ pair: borrowing HandshakePair
  ) throws -> [UInt8] {
    var records = try #require(pair.ends[end].records)
    let datagram = records.protect(content, type: type)
    return try #require(datagram)
  }

  @Test("a completed association ignores unencrypted alerts, messages and data", arguments: 0..<2)
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

  @Test("an association answers a renegotiation with an alert and stays open", arguments: 0..<2)
  func refuseRenegotiation(end: Int) throws {
    let pair = try donePair()
    let before = pair.outcomes
    var records = try #require(pair.ends[end].records)
    // The messages are a HelloRequest and a ClientHello without content.
    for message in [UInt8(0), 1] {
      let content = [message] + [UInt8](repeating: 0, count: 11)
      let sealed = records.protect(content, type: DTLSRecord.handshake)
      let request = try #require(sealed)
      let step = pair.ends[1 - end].receive(request, at: pair.clock.now)
      #expect(step.datagrams.map(\.first) == [DTLSRecord.alert])
      // The association ignores a repeated record.
      #expect(pair.ends[1 - end].receive(request, at: pair.clock.now).datagrams.isEmpty)
      #expect(pair.outcomes == before)
    }
  }

  @Test("a completed association frees OpenSSL's session")
  func freeSession() throws {
    let pair = try donePair()
    #expect(pair.ends.allSatisfy { $0.session == nil })
  }

  @Test("an association ignores a close_notify that was changed in transit", arguments: 0..<2)
  func ignoreChangedAlert(end: Int) throws {
    let pair = try donePair()
    let alert = try record([1, 0], DTLSRecord.alert, of: end, pair)
    for place in 3..<alert.count {
      var changed = alert
      changed[place] ^= 1
      try expectNoAnswer(to: [changed], at: 1 - end, of: pair)
    }
    #expect(pair.ends[1 - end].receive(alert, at: pair.clock.now).outcome == .closed)
  }

  @Test("a fatal alert closes an association", arguments: 0..<2)
  func endByFatalAlert(end: Int) throws {
    let pair = try donePair()
    let alert = try record([2, 80], DTLSRecord.alert, of: end, pair)
    #expect(pair.ends[1 - end].receive(alert, at: pair.clock.now).outcome == .closed)
  }

  @Test(
    "with each cipher, an association repeats a lost last flight and then closes",
    arguments: [
      "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
      "ECDHE-ECDSA-CHACHA20-POLY1305",
    ], 0..<2)
  func answerWithEachCipher(cipher: String, closer: Int) throws {
    var pair = try HandshakePair()
    let (client, server) = (pair.ends[HandshakePair.client], pair.ends[HandshakePair.server])
    let result = client.session.map { SSL_set_cipher_list($0.handle, cipher) }
    try #require(result == 1)
    var lost = 0
    pair.meddle = { end, datagram in
      guard lost < 3, end == HandshakePair.client, server.outcome != .running else {
        return [datagram]
      }
      lost += 1
      return []
    }
    pair.run()
    #expect(lost == 3 && pair.associations.map(\.cipher) == [cipher, cipher])
    pair.take(pair.ends[closer].close(at: pair.clock.now), of: closer)
    pair.run()
    #expect(pair.outcomes == [.closed, .closed])
  }

  @Test("an association survives a peer that repeats its last flight endlessly")
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
  /// Returns the outcome at the other end. The other end has the opposite role.
  fileprivate func seen(from end: Int) -> DTLSOutcome {
    guard case .done(let association) = self else { return self }
    return .done(
      DTLSAssociation(
        role: end == 0 ? .client : .server, profile: association.profile,
        keys: association.keys, cipher: association.cipher, version: association.version))
  }
}
