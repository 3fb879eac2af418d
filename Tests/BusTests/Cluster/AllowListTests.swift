import Testing
import ZeroMQ

@testable import Bus

@Suite struct AllowListTests {
  private static let keys = (0..<4).compactMap { _ in try? CurveKeyPair().publicKey }

  private static func list(_ text: String) throws -> AllowList {
    try AllowList(parsing: Array(text.utf8))
  }

  @Test func `a listed key is admitted for its own role only`() throws {
    let key = Self.keys[0]
    let list = try Self.list("# Ours.\n\nservice \(key.text) host-b\n")
    #expect(list.verdict(on: key, as: .service) == .admitted(name: "host-b"))
    #expect(list.verdict(on: key, as: .client) == .refused(.otherRole))
    #expect(list.verdict(on: Self.keys[1], as: .service) == .refused(.unknownKey))
    #expect(list.faults == [])
    #expect(!list.restrictsClients)
  }

  @Test(arguments: [
    "service KEY a\r\n", "  service\tKEY   a  \n", "service KEY a", "\n\nservice KEY a\n#x",
  ])
  func `white space and line breaks around an entry are ignored`(text: String) throws {
    let list = try Self.list(text.replacing("KEY", with: Self.keys[0].text))
    #expect(list.verdict(on: Self.keys[0], as: .service) == .admitted(name: "a"))
    #expect(list.faults == [])
  }

  @Test(arguments: [
    "service KEY", "service KEY a b", "service KEY a Revoked", "Service KEY a", "root KEY a",
    "service KEYx a", "service short a", "service KEY näme", "service KEY a/b",
    "service a KEY", "KEY service a", "service KEY \(String(repeating: "n", count: 65))",
    "service\u{a0}KEY\u{a0}a", "servicé KEY a", "\u{0}", "service KEY a\u{0}",
  ])
  func `a malformed line admits nobody and does not affect other lines`(line: String) throws {
    let bad = line.replacing("KEY", with: Self.keys[0].text)
    let list = try Self.list("service \(Self.keys[1].text) b\n\(bad)\n")
    #expect(list.faults == [2])
    #expect(list.verdict(on: Self.keys[0], as: .service) == .refused(.unknownKey))
    #expect(list.verdict(on: Self.keys[1], as: .service) == .admitted(name: "b"))
  }

  @Test func `a line that is not text counts as malformed`() throws {
    let list = try AllowList(parsing: Array("service ".utf8) + [0xff, 0xfe, 10, 0xc3, 10])
    #expect(list.faults == [1, 2])
    #expect(list.keys == [])
  }

  @Test func `a list that is too long is refused as a whole`() throws {
    let line = Array("# \(String(repeating: "x", count: 61))\n".utf8)
    let most = [[UInt8]](repeating: line, count: AllowList.mostBytes / line.count).flatMap { $0 }
    #expect(throws: Never.self) { try AllowList(parsing: most) }
    #expect(throws: KeyError.tooLarge) {
      try AllowList(parsing: most + [UInt8](repeating: 10, count: 64))
    }
  }

  @Test func `a revoked key stays revoked even if another line allows it`() throws {
    let key = Self.keys[0].text
    for text in [
      "service \(key) a revoked\nservice \(key) b\n",
      "service \(key) b\nservice \(key) a revoked\n",
    ] {
      #expect(try Self.list(text).verdict(on: Self.keys[0], as: .service) == .refused(.revoked))
    }
  }

  @Test func `clients need a listed key if the list names any client key, even a revoked key`()
    throws
  {
    #expect(!AllowList().restrictsClients)
    #expect(try Self.list("client \(Self.keys[0].text) a").restrictsClients)
    #expect(try Self.list("client \(Self.keys[0].text) a revoked").restrictsClients)
  }

  @Test func `neither a revoked key nor the name of a revoked key can be allowed again`() throws {
    var list = AllowList()
    let first = try AllowListEntry(.service, Self.keys[0], name: "b")
    try list.allow(first)
    #expect(throws: KeyError.isAllowed(name: "b")) {
      try list.allow(AllowListEntry(.service, Self.keys[0], name: "c"))
    }
    #expect(throws: KeyError.nameIsTaken("b")) {
      try list.allow(AllowListEntry(.client, Self.keys[1], name: "b"))
    }
    #expect(throws: KeyError.noSuchName("x")) { try list.revoke("x") }
    #expect(try list.revoke("b").isRevoked)
    #expect(list.verdict(on: Self.keys[0], as: .service) == .refused(.revoked))
    #expect(throws: KeyError.wasRevoked(name: "b")) {
      try list.allow(AllowListEntry(.service, Self.keys[0], name: "again"))
    }
    try list.allow(AllowListEntry(.client, Self.keys[0], name: "as-client"))
    #expect(list.verdict(on: Self.keys[0], as: .client) == .admitted(name: "as-client"))
  }

  @Test
  func `an allow list keeps the text that it was read from, even comments and malformed lines`()
    throws
  {
    let text = "# One.\nservice \(Self.keys[0].text) a\n\nnonsense\nclient \(Self.keys[1].text) b\n"
    var list = try Self.list(text)
    #expect(list.text == text)
    try list.revoke("a")
    #expect(try Self.list(list.text) == list)
    #expect(list.text.contains("nonsense\n"))
  }

  @Test(arguments: ["\r\r", "\r\r\n\r", "x\r\r\n", "\u{b}\r", "#\r\n\r\n"])
  func `a list with any kind of line breaks is unchanged after it is written and read again`(
    text: String
  )
    throws
  {
    let list = try Self.list(text)
    #expect(try Self.list(list.text).faults == list.faults)
  }

  @Test func `a list that admits all keys of another list covers the other list`() throws {
    let (a, b) = (Self.keys[0].text, Self.keys[1].text)
    let both = try Self.list("service \(a) a\nservice \(b) b\n")
    let one = try Self.list("service \(a) a\n")
    #expect(one.isCovered(by: both))
    #expect(!both.isCovered(by: one))
    #expect(!both.isCovered(by: try Self.list("service \(a) a\nservice \(b) b revoked\n")))
    #expect(AllowList().isCovered(by: one))
    #expect(!one.isCovered(by: try Self.list("client \(a) a\n")))
  }
}
