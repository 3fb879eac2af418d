import Testing

@testable import Gateway

@Suite struct TokenConnectionsTests {
  private var connections = TokenConnections<String>()

  private mutating func open(_ numbers: ClosedRange<UInt64>, with token: String) -> [UInt64] {
    numbers.compactMap { connections.open(BrowserConnectionID(value: $0), with: token)?.value }
  }

  @Test mutating func `each connection beyond the limit closes the token's oldest connection`() {
    #expect(open(1...8, with: "a").isEmpty)
    #expect(open(9...20, with: "a") == Array(1...12))
  }

  @Test mutating func `each token has its own connection limit`() {
    #expect(open(1...8, with: "a").isEmpty)
    #expect(open(9...16, with: "b").isEmpty)
    #expect(open(17...17, with: "b") == [9])
  }

  @Test
  mutating func
    `only the close of a current connection makes room for another connection of the token`()
  {
    #expect(open(1...9, with: "a") == [1])
    connections.close(BrowserConnectionID(value: 1), with: "a")
    #expect(open(10...10, with: "a") == [2])
    connections.close(BrowserConnectionID(value: 5), with: "a")
    #expect(open(11...11, with: "a").isEmpty)
  }

  @Test mutating func `a token without connections is forgotten`() {
    _ = open(1...10, with: "a")
    for number in 1...10 as ClosedRange<UInt64> {
      connections.close(BrowserConnectionID(value: number), with: "a")
    }
    #expect(connections.count == 0)
  }
}
