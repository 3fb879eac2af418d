import Testing
import WebRTC

@Suite("Handshake budget")
struct HandshakeBudgetTests {
  @Test("a full budget refuses a handshake until another handshake ends")
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

  @Test("the process stops when more handshakes end than began")
  func stops() async {
    await #expect(processExitsWith: .failure) {
      var budget = HandshakeBudget(capacity: 1)
      budget.end()
    }
  }
}
