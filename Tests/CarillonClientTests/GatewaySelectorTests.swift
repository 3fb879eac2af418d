import Testing
import ZeroMQ

@testable import CarillonClientCore

@Suite struct GatewaySelectorTests {
  private let one: Endpoint
  private let two: Endpoint
  private let three: Endpoint

  init() throws {
    one = try .tcp(host: "127.0.0.1", port: 7400)
    two = try .tcp(host: "127.0.0.1", port: 7401)
    three = try .tcp(host: "127.0.0.1", port: 7402)
  }

  @Test func `a client that knows only one gateway reconnects to that gateway`() {
    var choice = GatewaySelector()
    #expect(choice.next == nil)
    choice.begin(at: one)
    let isThereAnother = choice.lose()
    #expect(!isThereAnother)
    #expect(choice.next == one)
    // The client is connected through a relay, so it does not use the address that the gateway
    // announces.
    choice.take([two])
    choice.lose()
    #expect(choice.next == one)
  }

  @Test
  func `each lost connection moves the client to the next gateway, and finally to the first again`()
  {
    var choice = GatewaySelector()
    choice.begin(at: two)
    choice.take([one, two, three])
    var tried: [Endpoint?] = []
    for _ in 1...4 {
      choice.lose()
      tried.append(choice.next)
    }
    #expect(tried == [three, one, two, three])
  }

  @Test func `a client that loses a draining gateway moves to the next listed gateway`() {
    var choice = GatewaySelector()
    choice.begin(at: one)
    choice.take([two, three])
    let isThereAnother = choice.lose()
    #expect(isThereAnother)
    #expect(choice.next == two)
  }

  @Test func `an empty list of gateways changes nothing, and a long list is shortened`() throws {
    var choice = GatewaySelector()
    choice.begin(at: one)
    choice.take([one, two])
    choice.take([])
    choice.lose()
    #expect(choice.next == two)
    choice.take(try (1...1_000).map { try .tcp(host: "127.0.0.1", port: $0) })
    for _ in 1...65 { choice.lose() }
    let first: Endpoint = try .tcp(host: "127.0.0.1", port: 1)
    #expect(choice.next == first)
  }
}
