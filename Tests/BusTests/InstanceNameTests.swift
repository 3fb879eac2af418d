import Foundation
import Testing

@testable import Bus

@Suite struct InstanceNameTests {
  @Test func `a process always gets the same suffix`() throws {
    let own = try #require(InstanceNameGenerator.suffix(of: getpid()))
    #expect(own.wholeMatch(of: /[0-9a-f]{8}/) != nil)
    #expect(InstanceNameGenerator.suffix(of: getpid()) == own)
    #expect(InstanceNameGenerator.suffix(of: -1) == nil)
  }

  @Test func `two containers with the host's name that start together get different suffixes`() {
    // In each container, the service is process 1. The containers have different PID namespaces.
    let suffixes = (0..<1_000).map { number in
      InstanceNameGenerator.suffix(
        ofProcess: 1, startedAt: "817265", on: "meetings", in: "pid:[\(4_026_532_500 + number)]")
    }
    #expect(Set(suffixes).count == suffixes.count)
  }

  @Test(arguments: [
    (2, "817265", "meetings"), (1, "817266", "meetings"), (1, "817265", "meetings-2"),
  ])
  func `the process id, the start and the host change the suffix`(
    id: Int32, start: String, host: String
  ) {
    let namespace = "pid:[4026532500]"
    let first = InstanceNameGenerator.suffix(
      ofProcess: 1, startedAt: "817265", on: "meetings", in: namespace)
    let other = InstanceNameGenerator.suffix(
      ofProcess: id, startedAt: start, on: host, in: namespace)
    #expect(first != other)
  }
}
