import Testing

@testable import CarillonClientMedia

struct ConnectionHealthTests {
  private func changes(_ losses: [Double]) -> [Int: Bool] {
    var health = ConnectionHealth()
    var changes: [Int: Bool] = [:]
    for (second, loss) in losses.enumerated() where health.take(lossPercent: loss) {
      changes[second] = health.isPoor
    }
    return changes
  }

  @Test
  func `a connection is poor after two seconds of loss, and good after three seconds without loss`()
  {
    #expect(changes([0, 12, 15, 9, 2, 1, 0, 0]) == [2: true, 6: false])
  }

  @Test func `one bad or good second does not change the connection's health`() {
    #expect(changes([50, 0, 50, 0]) == [:])
    #expect(changes([50, 50, 0, 0, 5, 0, 0]) == [1: true])
  }
}
