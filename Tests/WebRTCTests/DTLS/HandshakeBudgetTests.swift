import Testing
import WebRTC

@Suite("The budget of handshakes")
struct HandshakeBudgetTests {
  @Test("refuses one more than its capacity until one ends")
  func refuses() throws {
    var budget = HandshakeBudget(capacity: 2)
    try budget.begin()
    try budget.begin()
    #expect(throws: DTLSFailure.tooManyHandshakes) { try budget.begin() }
    #expect(budget.running == 2)
    budget.end()
    try budget.begin()
    #expect(budget.running == 2)
  }

  @Test("stops the process when more end than began")
  func stops() async {
    await #expect(processExitsWith: .failure) {
      var budget = HandshakeBudget(capacity: 1)
      budget.end()
    }
  }
}
