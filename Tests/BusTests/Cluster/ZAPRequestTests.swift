import Testing
import ZeroMQ

@testable import Bus

@Suite struct ZAPRequestTests {
  private static let key = [UInt8](repeating: 7, count: 32)

  private static func frames(
    version: String = "1.0", domain: String = "service", mechanism: String = "CURVE",
    _ credentials: [[UInt8]] = [key]
  ) -> [[UInt8]] {
    [version, "id", domain, "192.0.2.1", "", mechanism].map { Array($0.utf8) } + credentials
  }

  private static func answer(_ frames: [[UInt8]]) -> [String]? {
    ZAPRequest.answer(to: frames) { key, role in
      guard key == CurveKey(Self.key) else { return .refused(.unknownKey) }
      return role == .service ? .admitted(name: "host-b") : .refused(.otherRole)
    }?.frames.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `an allowed key is admitted under its name`() {
    #expect(Self.answer(Self.frames()) == ["1.0", "id", "200", "success", "host-b", ""])
  }

  @Test func `a request names its domain, its address and its key`() throws {
    let request = try ZAPRequest(frames: Self.frames())
    #expect(request.id == Array("id".utf8))
    #expect(request.domain == "service")
    #expect(request.address == "192.0.2.1")
    #expect(request.key == CurveKey(Self.key))
  }

  @Test(arguments: [
    frames(domain: "client"), frames(domain: "root"), frames(domain: ""),
    frames([[UInt8](repeating: 8, count: 32)]),
    frames(mechanism: "NULL", []), frames(mechanism: "PLAIN", [[97], [98]]),
    frames(mechanism: "curve"),
  ])
  func `a request in an unknown domain, with an unlisted key or without CURVE is refused`(
    frames: [[UInt8]]
  ) {
    #expect(Self.answer(frames) == ["1.0", "id", "400", "failure", "", ""])
  }

  @Test(arguments: [
    frames(version: "1.1"), frames([]), frames([[1, 2]]), frames([key, key]),
    frames([[UInt8](repeating: 7, count: 33)]), Array(frames().prefix(2)),
    Array(frames().prefix(5)), frames(domain: String(repeating: "d", count: 256)),
    frames() + [[UInt8]](repeating: [], count: 20),
    [Array("1.0".utf8), Array("id".utf8), [0xff], [], [], Array("CURVE".utf8), key],
  ])
  func `an unreadable request is answered with an error`(frames: [[UInt8]]) {
    #expect(Self.answer(frames)?[2] == "500")
    #expect(Self.answer(frames)?[1] == "id")
  }

  @Test(arguments: [[], [[49]], [Array("1.0".utf8)], [[], [UInt8](repeating: 1, count: 256)]])
  func `a request without an id gets no answer`(frames: [[UInt8]]) {
    #expect(Self.answer(frames) == nil)
  }
}
