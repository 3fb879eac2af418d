/// The lite side of ICE towards one browser (RFC 8445, §2.5): it answers checks, and says where the
/// browser wants media sent. A value: checks and the time go in, answers come out.
public struct ICEAgent: Hashable, Sendable {
  /// An address of the browser that an authentic check has proven.
  public struct Path: Hashable, Sendable {
    /// Where the check came from.
    public let address: PeerAddress

    /// When the last one came.
    public let lastCheck: ContinuousClock.Instant
  }

  /// The credentials of this side.
  public let local: ICECredentials

  /// The browser's fragment. Its password is not needed, because a lite side sends no checks.
  public let remoteFragment: String

  /// The address that the browser nominated last; `nil` before it has nominated.
  public private(set) var nominated: PeerAddress?

  /// Addresses that authentic checks came from, by their last check; at most 8.
  public private(set) var paths: [Path] = []

  /// The most addresses of a browser. The nominated one always stays.
  public static let mostPaths = 8

  /// How long a check allows this side to send (RFC 7675, §5.1).
  public static let consent = Duration.seconds(30)

  /// How long the nominated address may send no check while another one does. A browser checks its
  /// address every 4-6 s (RFC 7675, §5.1), so two checks are missing.
  public static let patience = Duration.seconds(12)

  /// - Parameters:
  ///   - local: The credentials of this side.
  ///   - remoteFragment: The browser's fragment.
  public init(local: ICECredentials, remoteFragment: String) {
    (self.local, self.remoteFragment) = (local, remoteFragment)
  }

  // MARK: Sending

  /// The time of the browser's last authentic check; `nil` before the first.
  public var lastCheck: ContinuousClock.Instant? { paths.last?.lastCheck }

  /// When this side has to stop sending unless another check comes; `nil` before the first check.
  public var consentEnd: ContinuousClock.Instant? { lastCheck.map { $0 + Self.consent } }

  /// Returns whether the browser still wants to be sent to.
  public func hasConsent(at now: ContinuousClock.Instant) -> Bool {
    consentEnd.map { now < $0 } ?? false
  }

  /// Returns where media goes: the address that was nominated last.
  ///
  /// A browser that moved may go on with checks that nominate nothing: it sees no change when only
  /// a translator of addresses gave it another one. When the nominated address has been silent for
  /// ``patience``, media goes to the address of the newest check.
  ///
  /// - Returns: `nil` before a nomination, and without consent.
  public func destination(at now: ContinuousClock.Instant) -> PeerAddress? {
    guard hasConsent(at: now), let nominated, let newest = paths.last else { return nil }
    let path = paths.first { $0.address == nominated }
    guard let path, newest.lastCheck - path.lastCheck <= Self.patience else {
      return newest.address
    }
    return nominated
  }

  /// Returns whether an authentic check came from the address.
  public func hasProven(_ address: PeerAddress) -> Bool { paths.contains { $0.address == address } }

  // MARK: Checks

  /// Returns the fragment of this side that a check names; `nil` if it names none.
  public static func fragment(of check: STUNMessage) -> String? {
    guard check.kind == .request, let name = check[STUNMessage.Attribute.username],
      let colon = name.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    return String(validating: name[..<colon], as: UTF8.self)
  }

  /// Answers a connectivity check (RFC 8445, §7.3), with USE-CANDIDATE and without.
  ///
  /// - Parameters:
  ///   - check: The message that came.
  ///   - address: Where it came from.
  ///   - now: When it came.
  /// - Returns: The answer as a datagram; `nil` if none is due.
  public mutating func answer(
    _ check: STUNMessage, from address: PeerAddress, at now: ContinuousClock.Instant
  ) -> [UInt8]? {
    guard check.kind == .request, check.hasFingerprint else { return nil }
    if let refusal = refusal(of: check) { return refusal }
    if check[STUNMessage.Attribute.useCandidate] != nil { nominated = address }
    note(Path(address: address, lastCheck: now))
    let mapped = STUNMessage.mapped(address.reflexive, transaction: check.transaction)
    return STUNMessage(.success, transaction: check.transaction, attributes: [mapped])
      .datagram(with: key)
  }

  private var key: [UInt8] { Array(local.password.utf8) }

  /// Puts a path last. When there are too many, the oldest one that is not nominated leaves.
  private mutating func note(_ path: Path) {
    paths.removeAll { $0.address == path.address }
    paths.append(path)
    guard paths.count > Self.mostPaths else { return }
    if let oldest = paths.firstIndex(where: { $0.address != nominated }) {
      paths.remove(at: oldest)
    }
  }

  /// Returns why a check is refused, as a datagram; `nil` for one that is granted.
  private func refusal(of check: STUNMessage) -> [UInt8]? {
    guard isAuthentic(check) else { return Self.error(401, "Unauthenticated", for: check) }
    let unknown = Self.unknownAttributes(of: check)
    guard unknown.isEmpty else {
      return Self.error(420, "Unknown Attribute", for: check, listing: unknown, with: key)
    }
    // A lite side is always controlled, whatever the other side's number.
    guard check[STUNMessage.Attribute.iceControlled] == nil else {
      return Self.error(487, "Role Conflict", for: check, with: key)
    }
    return nil
  }

  private func isAuthentic(_ check: STUNMessage) -> Bool {
    let expected = Array("\(local.fragment):\(remoteFragment)".utf8)
    return check[STUNMessage.Attribute.username] == expected && check.isAuthentic(with: key)
  }

  /// Attributes that must be understood and are not (RFC 8489, §6.3.1).
  private static func unknownAttributes(of check: STUNMessage) -> [UInt16] {
    check.attributes.map(\.type).filter { $0 < 0x8000 && !understood.contains($0) }
  }

  private static let understood: Set<UInt16> = [
    STUNMessage.Attribute.username, STUNMessage.Attribute.messageIntegrity,
    STUNMessage.Attribute.priority, STUNMessage.Attribute.useCandidate,
  ]

  /// An error response (RFC 8489, §6.3.1).
  private static func error(
    _ code: Int, _ reason: String, for check: STUNMessage, listing types: [UInt16] = [],
    with key: [UInt8]? = nil
  ) -> [UInt8] {
    let bytes = [0, 0, UInt8(code / 100), UInt8(code % 100)] + Array(reason.utf8)
    var attributes = [STUNMessage.Value(type: STUNMessage.Attribute.errorCode, bytes: bytes)]
    if !types.isEmpty { attributes.append(list(types)) }
    return STUNMessage(.error, transaction: check.transaction, attributes: attributes)
      .datagram(with: key)
  }

  /// UNKNOWN-ATTRIBUTES; a response lists at most 16.
  private static func list(_ types: [UInt16]) -> STUNMessage.Value {
    STUNMessage.Value(
      type: STUNMessage.Attribute.unknownAttributes,
      bytes: types.prefix(16).flatMap { STUNMessage.bytes($0) })
  }
}
