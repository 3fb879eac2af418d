import Testing

@testable import WebRTC

@Suite struct ICEAgentTests {
  private let local = ICECredentials(fragment: "here", password: "a password of 22 bytes")
  private let address = PeerAddress.udp(UDPAddress(host: [192, 0, 2, 7], port: 4_000))
  private let use = STUNMessage.Value(type: STUNMessage.Attribute.useCandidate, bytes: [])
  private let now = ContinuousClock.now

  private var agent: ICEAgent { ICEAgent(local: local, remoteFragment: "there") }

  private func check(
    _ more: [STUNMessage.Value] = [], username: String = "here:there", key: String? = nil
  ) throws -> STUNMessage {
    let message = STUNMessage(
      .request, transaction: Array(1...12),
      attributes: [
        .init(type: STUNMessage.Attribute.username, bytes: Array(username.utf8)),
        .init(type: STUNMessage.Attribute.priority, bytes: [0, 0, 0, 1]),
      ] + more)
    let datagram = message.datagram(with: Array((key ?? local.password).utf8))
    return try #require(STUNMessage(bytes: datagram))
  }

  private func errorCode(_ answer: [UInt8]?) throws -> Int {
    let datagram = try #require(answer)
    let message = try #require(STUNMessage(bytes: datagram))
    #expect(message.kind == .error)
    let value = try #require(message[STUNMessage.Attribute.errorCode])
    return Int(value[2]) * 100 + Int(value[3])
  }

  @Test func `an answer to a check is authentic and contains the sender's address`() throws {
    var agent = agent
    let reply = try agent.answer(check(), from: address, at: now)
    let answer = try #require(reply)
    let message = try #require(STUNMessage(bytes: answer))
    #expect(message.kind == .success && message.transaction == Array(1...12))
    #expect(message.isAuthentic(with: Array(local.password.utf8)))
    let mapped = STUNMessage.mapped(address.reflexive, transaction: Array(1...12))
    #expect(message[STUNMessage.Attribute.xorMappedAddress] == mapped.bytes)
    #expect(agent.paths.map(\.address) == [address] && agent.nominated == nil)
    #expect(agent.hasConsent(at: now) && agent.destination(at: now) == nil)
  }

  private func other(_ port: UInt16 = 4_001) -> PeerAddress {
    .udp(UDPAddress(host: [192, 0, 2, 7], port: port))
  }

  @Test func `media goes to the address that the browser nominated last`() throws {
    var agent = agent
    _ = try agent.answer(check([use]), from: address, at: now)
    #expect(agent.destination(at: now) == address)
    _ = try agent.answer(check(), from: other(), at: now)
    #expect(agent.destination(at: now) == address)
    _ = try agent.answer(check([use]), from: other(), at: now)
    #expect(agent.destination(at: now) == other())
  }

  @Test func `media stops 30 s after the last check and resumes after another check`() throws {
    var agent = agent
    _ = try agent.answer(check([use]), from: address, at: now)
    #expect(agent.consentEnd == now + .seconds(30))
    #expect(agent.destination(at: now + .milliseconds(29_999)) == address)
    #expect(agent.destination(at: now + .seconds(30)) == nil)
    _ = try agent.answer(check(), from: address, at: now + .seconds(60))
    #expect(agent.destination(at: now + .seconds(60)) == address)
  }

  @Test func `media abandons a nominated address that has been silent for more than 12 s`() throws {
    var agent = agent
    _ = try agent.answer(check([use]), from: address, at: now)
    _ = try agent.answer(check(), from: other(), at: now + .seconds(12))
    #expect(agent.destination(at: now + .seconds(12)) == address)
    _ = try agent.answer(check(), from: other(), at: now + .seconds(13))
    #expect(agent.destination(at: now + .seconds(13)) == other())
    _ = try agent.answer(check(), from: address, at: now + .seconds(14))
    #expect(agent.destination(at: now + .seconds(14)) == address)
  }

  @Test func `outgoing media follows the browser's media to an address with a newer check`() throws
  {
    var agent = agent
    _ = try agent.answer(check([use]), from: address, at: now)
    agent.noteMedia(from: other())
    #expect(agent.destination(at: now) == address)
    _ = try agent.answer(check(), from: other(), at: now + .seconds(1))
    #expect(agent.destination(at: now + .seconds(1)) == address)
    agent.noteMedia(from: other())
    #expect(agent.destination(at: now + .seconds(1)) == other())
    // A late packet from the former address changes nothing.
    agent.noteMedia(from: address)
    #expect(agent.destination(at: now + .seconds(1)) == other())
    _ = try agent.answer(check(), from: address, at: now + .seconds(2))
    agent.noteMedia(from: address)
    #expect(agent.destination(at: now + .seconds(2)) == address)
  }

  @Test
  func `after the first media, repeated checks from other addresses do not redirect the media`()
    throws
  {
    var agent = agent
    _ = try agent.answer(check([use]), from: address, at: now)
    agent.noteMedia(from: address)
    for second in 1...60 {
      let time = now + .seconds(second)
      if second.isMultiple(of: 5) { _ = try agent.answer(check([use]), from: address, at: time) }
      for port: UInt16 in 1...20 {
        _ = try agent.answer(check([use]), from: other(port), at: time)
      }
      #expect(agent.destination(at: time) == address)
      agent.noteMedia(from: address)
    }
    // After the browser has left, repeated checks from other addresses do not renew the consent to
    // send media.
    let left = now + .seconds(60)
    for second in 1...60 {
      _ = try agent.answer(check([use]), from: other(), at: left + .seconds(second))
    }
    #expect(agent.destination(at: left + .milliseconds(29_999)) == address)
    #expect(agent.destination(at: left + .seconds(60)) == nil)
  }

  @Test
  func `after the first media, a nomination takes effect only with media from the new address`()
    throws
  {
    var agent = agent
    _ = try agent.answer(check([use]), from: address, at: now)
    agent.noteMedia(from: address)
    _ = try agent.answer(check([use]), from: other(), at: now + .seconds(1))
    #expect(agent.destination(at: now + .seconds(1)) == address)
    agent.noteMedia(from: other())
    #expect(agent.destination(at: now + .seconds(1)) == other())
    #expect(agent.consentEnd == now + .seconds(31))
  }

  @Test func `before a nomination, outgoing media does not follow the browser's media`() throws {
    var agent = agent
    _ = try agent.answer(check(), from: address, at: now)
    agent.noteMedia(from: address)
    #expect(agent.nominated == nil && agent.destination(at: now) == nil)
  }

  @Test func `a check with a wrong password or user name changes nothing`() throws {
    var agent = agent
    let forged = try agent.answer(check([use], key: "wrong"), from: address, at: now)
    #expect(try errorCode(forged) == 401)
    let stranger = try check([use], username: "here:other")
    let refused = agent.answer(stranger, from: address, at: now)
    #expect(try errorCode(refused) == 401)
    #expect(agent == self.agent)
  }

  @Test func `a lite agent refuses a check whose sender claims to be controlled`() throws {
    var agent = agent
    let controlled = STUNMessage.Value(
      type: STUNMessage.Attribute.iceControlled, bytes: [UInt8](repeating: 0, count: 8))
    let answer = try agent.answer(check([controlled]), from: address, at: now)
    #expect(try errorCode(answer) == 487)
  }

  @Test func `an answer lists required attributes that the agent does not know`() throws {
    var agent = agent
    let odd = STUNMessage.Value(type: 0x7777, bytes: [1])
    let answer = try agent.answer(check([odd]), from: address, at: now)
    #expect(try errorCode(answer) == 420)
    let datagram = try #require(answer)
    let message = try #require(STUNMessage(bytes: datagram))
    #expect(message[STUNMessage.Attribute.unknownAttributes] == [0x77, 0x77])
    let optional = STUNMessage.Value(type: 0xC057, bytes: [0, 0, 0, 1])
    let reply = try agent.answer(check([optional]), from: address, at: now)
    let other = try #require(reply)
    #expect(STUNMessage(bytes: other)?.kind == .success)
  }

  @Test func `of many addresses, the agent keeps the nominated and the latest addresses`() throws {
    var agent = agent
    _ = try agent.answer(check([use]), from: other(1), at: now)
    for port: UInt16 in 2...20 {
      _ = try agent.answer(check(), from: other(port), at: now)
    }
    #expect(agent.paths.map(\.address) == [other(1)] + (14...20).map { other($0) })
    #expect(agent.hasProven(other(1)) && !agent.hasProven(other(2)))
    #expect(agent.destination(at: now) == other(1))
  }
}
