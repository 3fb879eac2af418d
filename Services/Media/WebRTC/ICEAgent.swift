/// One browser's side of ICE, where this side is lite (RFC 8445, §2.5): it answers checks, and
/// sends where the browser has nominated. A value: datagrams and the time go in, answers come out.
struct ICEAgent: Hashable {
  let local: ICECredentials

  /// The browser's; its password is not needed, because nothing is asked of it.
  var remoteFragment: String

  /// Where the browser wants to be sent to; `nil` before it has nominated.
  private(set) var nominated: UDPAddress?

  /// When the browser last showed that it wants to be sent to (RFC 7675); `nil`: never.
  private(set) var lastCheck: ContinuousClock.Instant?

  /// Addresses that authentic checks came from, newest last.
  private(set) var known: [UDPAddress] = []

  private static let mostKnown = 8

  /// How long it may be sent to without another check (RFC 7675, §5.1).
  static let consent = Duration.seconds(30)

  init(local: ICECredentials, remoteFragment: String) {
    (self.local, self.remoteFragment) = (local, remoteFragment)
  }

  /// Whether it may be sent to.
  func mayBeSentTo(at now: ContinuousClock.Instant) -> Bool {
    guard let lastCheck, nominated != nil else { return false }
    return now - lastCheck < Self.consent
  }

  /// The fragment of this side that a check names; `nil` for one that names none.
  static func fragment(of check: STUNMessage) -> String? {
    guard check.kind == .request, let name = check[STUNMessage.Attribute.username],
      let colon = name.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    return String(validating: name[..<colon], as: UTF8.self)
  }

  /// Answers a check of connectivity.
  ///
  /// - Returns: The answer; `nil`: none is due.
  mutating func answer(
    _ check: STUNMessage, from address: UDPAddress, at now: ContinuousClock.Instant
  ) -> [UInt8]? {
    guard check.kind == .request, check.hasFingerprint else { return nil }
    let key = Array(local.password.utf8)
    let expected = Array("\(local.fragment):\(remoteFragment)".utf8)
    guard check[STUNMessage.Attribute.username] == expected, check.isAuthentic(with: key) else {
      return Self.refusal(of: check, 401, "Unauthenticated", with: nil)
    }
    let unknown = check.attributes.map(\.type).filter {
      $0 < 0x8000 && !Self.understood.contains($0)
    }
    guard unknown.isEmpty else {
      return Self.refusal(of: check, 420, "Unknown Attribute", listing: unknown, with: key)
    }
    guard check[STUNMessage.Attribute.iceControlled] == nil else {
      // One that is lite is controlled, whatever the other side's number.
      return Self.refusal(of: check, 487, "Role Conflict", with: key)
    }
    lastCheck = now
    if known.last != address {
      known.removeAll { $0 == address }
      known.append(address)
      if known.count > Self.mostKnown { known.removeFirst() }
    }
    if check[STUNMessage.Attribute.useCandidate] != nil { nominated = address }
    return STUNMessage(
      .success, transaction: check.transaction,
      attributes: [STUNMessage.mapped(address, transaction: check.transaction)]
    ).datagram(with: key)
  }

  private static let understood: Set<UInt16> = [
    STUNMessage.Attribute.username, STUNMessage.Attribute.messageIntegrity,
    STUNMessage.Attribute.priority, STUNMessage.Attribute.useCandidate,
  ]

  /// An error response (RFC 8489, §6.3.1).
  static func refusal(
    of check: STUNMessage, _ code: Int, _ reason: String, listing types: [UInt16] = [],
    with key: [UInt8]?
  ) -> [UInt8] {
    var attributes = [
      STUNMessage.Value(
        type: STUNMessage.Attribute.errorCode,
        bytes: [0, 0, UInt8(code / 100), UInt8(code % 100)] + Array(reason.utf8))
    ]
    if !types.isEmpty {
      attributes.append(
        STUNMessage.Value(
          type: STUNMessage.Attribute.unknownAttributes,
          bytes: types.prefix(16).flatMap { STUNMessage.bytes($0) }))
    }
    return STUNMessage(.error, transaction: check.transaction, attributes: attributes)
      .datagram(with: key)
  }
}
