import Testing

@testable import WebRTC

@Suite struct STUNTests {
  /// The request with short-term credentials in RFC 5769, §2.1.
  private static let request = bytes(
    """
    000100582112a442b7e7a701bc34d686fa87dfae802200105354554e207465737420636c69656e74
    002400046e0001ff80290008932ff9b151263b36000600096576746a3a68367659202020000800149aeaa70cbfd8cb
    56781ef2b5b2d3f249c1b571a280280004e57a3bcf
    """)
  private static let password = Array("VOkJxbRl1RmTxUk/WvJxBt".utf8)

  static func bytes(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue).map { UInt8($0) }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  @Test func `the sample request of RFC 5769 is parsed and authentic`() throws {
    let message = try #require(STUNMessage(bytes: Self.request))
    #expect(message.kind == .request && message.hasFingerprint)
    #expect(message[STUNMessage.Attribute.username] == Array("evtj:h6vY".utf8))
    #expect(message[STUNMessage.Attribute.priority] == [0x6E, 0, 1, 0xFF])
    #expect(message.isAuthentic(with: Self.password))
    #expect(!message.isAuthentic(with: Self.password + [1]))
    #expect(ICEAgent.fragment(of: message) == "evtj")
  }

  /// The vectors are in RFC 5769, §2.2 and §2.3: responses that contain 192.0.2.1 and
  /// 2001:db8:1234:5678:11:2233:4455:6677.
  @Test(
    arguments: [
      (
        """
        0101003c2112a442b7e7a701bc34d686fa87dfae8022000b7465737420766563746f7220
        002000080001a147e112a643000800142b91f599fd9e90c38c7489f92af9ba53f06be7d780280004c07d4c96
        """, [192, 0, 2, 1]
      ),
      (
        """
        010100482112a442b7e7a701bc34d686fa87dfae8022000b7465737420766563746f7220
        002000140002a1470113a9faa5d3f179bc25f4b5bed2b9d9
        00080014a382954e4be67bf11784c97c8292c275bfe3ed4180280004c8fb0b4c
        """,
        [0x20, 1, 0xD, 0xB8, 0x12, 0x34, 0x56, 0x78, 0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77]
      ),
    ] as [(String, [UInt8])])
  func `the sample responses of RFC 5769 contain the expected addresses`(
    text: String, host: [UInt8]
  ) throws {
    let message = try #require(STUNMessage(bytes: Self.bytes(text)))
    #expect(message.kind == .success && message.hasFingerprint)
    #expect(message.isAuthentic(with: Self.password))
    let mapped = STUNMessage.mapped(
      UDPAddress(host: host, port: 32_853), transaction: message.transaction)
    #expect(message[STUNMessage.Attribute.xorMappedAddress] == mapped.bytes)
  }

  @Test func `a written message equals the message that is read back`() throws {
    let message = STUNMessage(
      .request, transaction: Array(0..<12),
      attributes: [
        .init(type: STUNMessage.Attribute.username, bytes: Array("a:b".utf8)),
        .init(type: STUNMessage.Attribute.useCandidate, bytes: []),
      ])
    for key in [nil, Self.password] {
      let read = try #require(STUNMessage(bytes: message.datagram(with: key)))
      #expect(read == message && read.hasFingerprint)
      #expect(read.isAuthentic(with: Self.password) == (key != nil))
    }
  }

  @Test func `a change of any byte invalidates the fingerprint`() {
    for index in Self.request.indices {
      var damaged = Self.request
      damaged[index] ^= 0x40
      let message = STUNMessage(bytes: damaged)
      #expect(message.map { $0.hasFingerprint } != true)
    }
    for count in Self.request.indices {
      #expect(STUNMessage(bytes: Array(Self.request[..<count]))?.hasFingerprint != true)
    }
    #expect(STUNMessage(bytes: Self.request + [0, 0, 0, 0]) == nil)
  }
}

extension STUNMessage {
  init?(bytes: [UInt8]) { self.init(bytes.span) }
}
