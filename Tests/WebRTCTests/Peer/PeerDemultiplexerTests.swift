import Testing
import WebRTC

@Suite struct PeerDemultiplexerTests {
  private let address = PeerAddress.udp(UDPAddress(host: [192, 0, 2, 7], port: 4_000))
  private let other = PeerAddress.udp(UDPAddress(host: [192, 0, 2, 7], port: 4_001))

  private func message(_ kind: STUNMessage.Class, _ username: String? = nil) -> STUNMessage {
    let name = username.map {
      STUNMessage.Value(type: STUNMessage.Attribute.username, bytes: Array($0.utf8))
    }
    return STUNMessage(kind, transaction: Array(1...12), attributes: name.map { [$0] } ?? [])
  }

  @Test
  func `the peer of a check is found by the ICE username fragment, whatever the sender's address`()
  {
    var directory = PeerDemultiplexer<Int>()
    directory.add(1, fragment: "here")
    directory.assign(address, to: 2)
    #expect(directory.owner(of: message(.request, "here:there"), from: address) == 1)
    #expect(directory.owner(of: message(.request, "gone:there"), from: address) == nil)
    directory.remove(fragment: "here")
    #expect(directory.owner(of: message(.request, "here:there"), from: address) == nil)
  }

  @Test func `the peer of any other packet is found by the sender's address`() {
    var directory = PeerDemultiplexer<Int>()
    directory.assign(address, to: 1)
    #expect(directory.owner(of: address) == 1 && directory.owner(of: other) == nil)
    #expect(directory.owner(of: message(.indication), from: address) == 1)
    #expect(directory.owner(of: message(.indication), from: other) == nil)
  }

  @Test func `an address belongs to the peer that proved the address last`() {
    var directory = PeerDemultiplexer<Int>()
    directory.assign(address, to: 1)
    directory.assign(address, to: 2)
    directory.forget(address, of: 1)
    #expect(directory.owner(of: address) == 2)
    directory.forget(address, of: 2)
    #expect(directory.owner(of: address) == nil)
  }
}
