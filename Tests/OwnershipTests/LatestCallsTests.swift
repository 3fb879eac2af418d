import Testing

@testable import Ownership

@Suite struct LatestCallsTests {
  @Test func `only the newest call for a key can be ended, and only once`() {
    var calls = LatestCalls<String>()
    let older = calls.begin("ada")
    let newer = calls.begin("ada")
    let other = calls.begin("grace")
    #expect(calls.count == 2)
    let outcomes = [
      calls.end(older, of: "ada"), calls.end(newer, of: "ada"), calls.end(newer, of: "ada"),
      calls.end(other, of: "grace"),
    ]
    #expect(outcomes == [false, true, false, true])
    #expect(calls.count == 0)
  }
}
