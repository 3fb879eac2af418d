/// The lite side of ICE for one browser (RFC 8445, §2.5). The agent answers connectivity checks,
/// and provides the destination of media.
///
/// The agent is a value: callers pass in checks and the time, and receive answers.
public struct ICEAgent: Hashable, Sendable {
  /// A browser's address, validated by an authentic check.
  public struct Path: Hashable, Sendable {
    /// The source of the check.
    public let address: PeerAddress

    /// The time of the last check from the address.
    public let lastCheck: ContinuousClock.Instant
  }

  /// The credentials of this side.
  public let local: ICECredentials

  /// The browser's username fragment. The agent does not need the browser's password, because a
  /// lite side sends no checks.
  public let remoteFragment: String

  /// The address that the browser nominated last; `nil` before the first nomination.
  public private(set) var nominated: PeerAddress?

  /// Whether an authentic packet of media has arrived from the nominated address.
  ///
  /// From then on, only media from another address moves the destination. A check alone does not
  /// move the destination, because a check stays authentic if somebody repeats it from another
  /// address (a replay). A forged source address would then receive the browser's media. Nobody can
  /// repeat a packet of media, because SRTP detects replays.
  public private(set) var isConfirmed = false

  /// The sources of authentic checks, ordered by the time of their last check; at most 8.
  public private(set) var paths: [Path] = []

  /// The destination of media until the browser's consent ends.
  public struct Route: Hashable, Sendable {
    /// The address to which this side sends media.
    public let address: PeerAddress

    /// The time at which the browser's consent ends unless another check arrives.
    public let end: ContinuousClock.Instant
  }

  /// The destination of media as of the last check or nomination; `nil` before a nomination. The
  /// agent stores this value, because senders need the destination for each packet, and the
  /// destination rarely changes.
  public private(set) var route: Route?

  /// The maximum number of addresses of a browser.
  ///
  /// The agent never removes the nominated address.
  public static let mostPaths = 8

  /// How long after a check this side may send (RFC 7675, §5.1).
  public static let consent = Duration.seconds(30)

  /// How long the nominated address may be silent. After a longer silence, this side sends media to
  /// another address from which checks arrive.
  ///
  /// A browser sends a check every 4-6 s (RFC 7675, §5.1), so after this time the network has lost
  /// at least one check.
  public static let patience = Duration.seconds(12)

  /// - Parameters:
  ///   - local: The credentials of this side.
  ///   - remoteFragment: The browser's username fragment.
  public init(local: ICECredentials, remoteFragment: String) {
    (self.local, self.remoteFragment) = (local, remoteFragment)
  }

  // MARK: Sending

  /// The time of the browser's last authentic check; `nil` before the first check.
  public var lastCheck: ContinuousClock.Instant? { paths.last?.lastCheck }

  /// The time at which this side must stop sending unless another check arrives; `nil` before the
  /// first check.
  public var consentEnd: ContinuousClock.Instant? {
    let check = isConfirmed ? nominatedPath?.lastCheck : lastCheck
    return check.map { $0 + Self.consent }
  }

  private var nominatedPath: Path? { paths.first { $0.address == nominated } }

  /// Returns whether the browser still consents to receive.
  public func hasConsent(at now: ContinuousClock.Instant) -> Bool {
    consentEnd.map { now < $0 } ?? false
  }

  /// Returns the destination of media: the last nominated address.
  ///
  /// After a browser's address changed, the browser may send checks that nominate nothing. The
  /// browser does not notice the change if only a NAT assigned another address. So the browser's
  /// packets of media may nominate an address too (``noteMedia(from:)``). If no media has arrived
  /// yet, and no check arrives from the nominated address for ``patience``, the result is the
  /// address of the newest check.
  ///
  /// - Returns: `nil` before a nomination, and while the browser does not consent.
  public func destination(at now: ContinuousClock.Instant) -> PeerAddress? {
    guard let route, now < route.end else { return nil }
    return route.address
  }

  /// Chooses the destination again after a check or a nomination.
  private mutating func chooseRoute() {
    guard let nominated, let newest = paths.last, let end = consentEnd else { return route = nil }
    var address = nominated
    if !isConfirmed {
      let isStale = nominatedPath.map { newest.lastCheck - $0.lastCheck > Self.patience } ?? true
      if isStale { address = newest.address }
    }
    route = Route(address: address, end: end)
  }

  /// Nominates the address of an authentic packet of media, if the last check from this address
  /// arrived after the last check from the nominated address.
  ///
  /// A browser sends media only on the pair that it has selected (RFC 8445, §12.1). So media and a
  /// newer check from another address show that the nominated address is no longer in use.
  public mutating func noteMedia(from address: PeerAddress) {
    guard let nominated, nominated != address || !isConfirmed else { return }
    guard nominated == address || hasNewerCheck(from: address, than: nominated) else { return }
    self.nominated = address
    isConfirmed = true
    chooseRoute()
  }

  /// Returns whether the last check from an address arrived after the last check from another
  /// address.
  private func hasNewerCheck(from address: PeerAddress, than other: PeerAddress) -> Bool {
    guard let former = paths.firstIndex(where: { $0.address == other }) else { return false }
    return paths[former...].contains { $0.address == address }
  }

  /// Returns whether an authentic check arrived from the address.
  public func hasProven(_ address: PeerAddress) -> Bool { paths.contains { $0.address == address } }

  // MARK: Checks

  /// Returns this side's username fragment in a check; `nil` if the check has no username fragment.
  public static func fragment(of check: STUNMessage) -> String? {
    guard check.kind == .request, let name = check[STUNMessage.Attribute.username],
      let colon = name.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    return String(validating: name[..<colon], as: UTF8.self)
  }

  /// Answers a connectivity check, whether or not the check has USE-CANDIDATE (RFC 8445, §7.3).
  ///
  /// - Parameters:
  ///   - check: The message.
  ///   - address: The address from which the check arrived.
  ///   - now: The time at which the check arrived.
  /// - Returns: The answer as a datagram; `nil` if the check needs no answer.
  public mutating func answer(
    _ check: STUNMessage, from address: PeerAddress, at now: ContinuousClock.Instant
  ) -> [UInt8]? {
    guard check.kind == .request, check.hasFingerprint else { return nil }
    if let refusal = refusal(of: check) { return refusal }
    if check[STUNMessage.Attribute.useCandidate] != nil, !isConfirmed { nominated = address }
    note(Path(address: address, lastCheck: now))
    chooseRoute()
    let mapped = STUNMessage.mapped(address.reflexive, transaction: check.transaction)
    return STUNMessage(.success, transaction: check.transaction, attributes: [mapped])
      .datagram(with: key)
  }

  private var key: [UInt8] { Array(local.password.utf8) }

  /// Moves a path to the end of ``paths``, or adds the path there.
  ///
  /// If there are too many paths, removes the oldest path that is not nominated.
  private mutating func note(_ path: Path) {
    paths.removeAll { $0.address == path.address }
    paths.append(path)
    guard paths.count > Self.mostPaths else { return }
    if let oldest = paths.firstIndex(where: { $0.address != nominated }) {
      paths.remove(at: oldest)
    }
  }

  /// Returns the error response for a refused check; `nil` for an accepted check.
  private func refusal(of check: STUNMessage) -> [UInt8]? {
    guard isAuthentic(check) else { return Self.error(401, "Unauthenticated", for: check) }
    let unknown = Self.unknownAttributes(of: check)
    guard unknown.isEmpty else {
      return Self.error(420, "Unknown Attribute", for: check, listing: unknown, with: key)
    }
    // A side that uses ICE lite is always controlled, whatever tie-breaker the other side sends.
    guard check[STUNMessage.Attribute.iceControlled] == nil else {
      return Self.error(487, "Role Conflict", for: check, with: key)
    }
    return nil
  }

  private func isAuthentic(_ check: STUNMessage) -> Bool {
    let expected = Array("\(local.fragment):\(remoteFragment)".utf8)
    return check[STUNMessage.Attribute.username] == expected && check.isAuthentic(with: key)
  }

  /// Returns the mandatory attributes that are unknown (RFC 8489, §6.3.1).
  private static func unknownAttributes(of check: STUNMessage) -> [UInt16] {
    check.attributes.map(\.type).filter { $0 < 0x8000 && !understood.contains($0) }
  }

  private static let understood: Set<UInt16> = [
    STUNMessage.Attribute.username, STUNMessage.Attribute.messageIntegrity,
    STUNMessage.Attribute.priority, STUNMessage.Attribute.useCandidate,
  ]

  /// Returns an error response (RFC 8489, §6.3.1).
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

  /// Returns UNKNOWN-ATTRIBUTES with at most 16 types.
  private static func list(_ types: [UInt16]) -> STUNMessage.Value {
    STUNMessage.Value(
      type: STUNMessage.Attribute.unknownAttributes,
      bytes: types.prefix(16).flatMap { STUNMessage.bytes($0) })
  }
}
