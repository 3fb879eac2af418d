import TestSupport
import Testing
import Trials

@Suite struct PortRangeTests {
  @Test func `ports of a range are assigned in turn and then from the start again`() throws {
    var ports = try PortRange("20000-20002")
    let taken = try (0..<5).map { _ in try ports.take { _ in true } }
    #expect(taken == [20_000, 20_001, 20_002, 20_000, 20_001])
  }

  @Test func `ports in use are skipped`() throws {
    var ports = try PortRange("20000-20003")
    let taken = try (0..<3).map { _ in try ports.take { $0 % 2 == 1 } }
    #expect(taken == [20_001, 20_003, 20_001])
  }

  @Test func `a range without a free port is reported`() throws {
    var ports = try PortRange("20000-20001")
    let error = #expect(throws: PortRange.Failure.self) { _ = try ports.take { _ in false } }
    #expect(error?.description.contains("from 20000 to 20001 is in use") == true)
  }

  @Test(arguments: ["20000", "20001-20000", "a-b", "-5", "0-9", "1-2-3", "65000-65536", ""])
  func `an invalid range is refused with the expected form`(text: String) {
    let error = #expect(throws: PortRange.Failure.self) { _ = try PortRange(text) }
    #expect(error?.description.contains("FIRST-LAST") == true)
  }

  @Test func `a port that has a listener is refused to a second listener`() throws {
    let port = try PortRange.freePort()
    let listener = try LocalSocket(listeningAtPort: port)
    #expect(throws: LocalSocket.Failure.self) { _ = try LocalSocket(listeningAtPort: port) }
    #expect(try listener.port() == port)
  }
}
