import Testing

@testable import Media

@Suite struct `A lite side of ICE` {
  private let local = ICECredentials(fragment: "here", password: "a password of 22 bytes")
  private let address = UDPAddress(host: [192, 0, 2, 7], port: 4_000)
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

  @Test func `a check is answered with where it came from, and authentically`() throws {
    var agent = agent
    let reply = try agent.answer(check(), from: address, at: now)
    let answer = try #require(reply)
    let message = try #require(STUNMessage(bytes: answer))
    #expect(message.kind == .success && message.transaction == Array(1...12))
    #expect(message.isAuthentic(with: Array(local.password.utf8)))
    let mapped = STUNMessage.mapped(address, transaction: Array(1...12))
    #expect(message[STUNMessage.Attribute.xorMappedAddress] == mapped.bytes)
    #expect(agent.known == [address] && agent.nominated == nil)
    #expect(!agent.mayBeSentTo(at: now))
  }

  @Test func `who nominates is sent to, where it nominated last, for as long as it asks`() throws {
    var agent = agent
    let use = STUNMessage.Value(type: STUNMessage.Attribute.useCandidate, bytes: [])
    _ = try agent.answer(check([use]), from: address, at: now)
    #expect(agent.nominated == address && agent.mayBeSentTo(at: now))
    let other = UDPAddress(host: [192, 0, 2, 7], port: 4_001)
    _ = try agent.answer(check(), from: other, at: now)
    #expect(agent.nominated == address)
    _ = try agent.answer(check([use]), from: other, at: now)
    #expect(agent.nominated == other)
    #expect(agent.mayBeSentTo(at: now + .seconds(29)))
    #expect(!agent.mayBeSentTo(at: now + .seconds(30)))
  }

  @Test func `who does not know the password, or names another one, changes nothing`() throws {
    var agent = agent
    let use = STUNMessage.Value(type: STUNMessage.Attribute.useCandidate, bytes: [])
    let forged = try agent.answer(check([use], key: "wrong"), from: address, at: now)
    #expect(try errorCode(forged) == 401)
    let stranger = try check([use], username: "here:other")
    let refused = agent.answer(stranger, from: address, at: now)
    #expect(try errorCode(refused) == 401)
    #expect(agent == self.agent)
  }

  @Test func `one that is lite stays controlled`() throws {
    var agent = agent
    let controlled = STUNMessage.Value(
      type: STUNMessage.Attribute.iceControlled, bytes: [UInt8](repeating: 0, count: 8))
    let answer = try agent.answer(check([controlled]), from: address, at: now)
    #expect(try errorCode(answer) == 487)
  }

  @Test func `what must be understood and is not is named`() throws {
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

  @Test func `of many addresses the last ones are kept`() throws {
    var agent = agent
    for port in 1...20 {
      _ = try agent.answer(
        check(), from: UDPAddress(host: [10, 0, 0, 1], port: UInt16(port)), at: now)
    }
    #expect(agent.known.map(\.port) == Array(13...20))
  }
}
