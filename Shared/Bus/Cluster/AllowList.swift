public import ZeroMQ

/// The keys that peers may use to connect over tcp, and the role for which each key is allowed. The
/// file `allowed.keys` contains this list.
///
/// A line is an ``AllowListEntry``, a comment that begins with `#`, or empty. An invalid line
/// admits no key and does not affect other lines. If any line revokes a key for a role, the list
/// refuses the key in this role.
public struct AllowList: Hashable, Sendable {
  private enum Line: Hashable {
    case key(AllowListEntry)
    case other(String)
  }

  private struct Holder: Hashable {
    let role: PeerKeyRole
    let key: CurveKey
  }

  /// The decision about the owner of a key.
  public enum Verdict: Hashable, Sendable {
    /// The list admits the peer under this name.
    case admitted(name: String)
    /// The list refuses the peer for this reason.
    case refused(PeerRefusalReason)
  }

  /// The maximum number of bytes of a list. This size suffices for several thousand keys.
  public static let mostBytes = 256 << 10

  private var lines: [Line] = []
  private var holders: [Holder: AllowListEntry] = [:]
  private var knownKeys: Set<CurveKey> = []

  /// The line numbers of the invalid lines. The first line has the number 1.
  public private(set) var faults: [Int] = []

  /// Makes a list that admits no key.
  public init() {}

  /// Reads a list.
  ///
  /// - Throws: ``KeyError/tooLarge`` if the list is larger than ``mostBytes``.
  public init(parsing bytes: [UInt8]) throws(KeyError) {
    guard bytes.count <= Self.mostBytes else { throw .tooLarge }
    var parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if parts.last?.isEmpty == true { parts.removeLast() }
    for (number, part) in parts.enumerated() { take(part, number: number + 1) }
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>, number: Int) {
    var whole = bytes
    while whole.last == UInt8(ascii: "\r") { whole.removeLast() }
    let blanks = [UInt8(ascii: " "), UInt8(ascii: "\t")]
    let first = whole.first { !blanks.contains($0) }
    let text = String(validating: whole, as: UTF8.self)
    if let text, let entry = AllowListEntry(line: text[...].utf8) {
      lines.append(.key(entry))
      index(entry)
    } else {
      if first != nil, first != UInt8(ascii: "#") { faults.append(number) }
      lines.append(.other(text ?? String(decoding: whole, as: UTF8.self)))
    }
  }

  private mutating func index(_ entry: AllowListEntry) {
    knownKeys.insert(entry.key)
    let holder = Holder(role: entry.role, key: entry.key)
    if holders[holder]?.isRevoked != true { holders[holder] = entry }
  }

  /// The keys, in the order of their lines.
  public var keys: [AllowListEntry] {
    lines.compactMap { if case .key(let key) = $0 { key } else { nil } }
  }

  /// Returns the decision about a peer with this key.
  public func verdict(on key: CurveKey, as role: PeerKeyRole) -> Verdict {
    guard let entry = holders[Holder(role: role, key: key)] else {
      return .refused(knownKeys.contains(key) ? .otherRole : .unknownKey)
    }
    return entry.isRevoked ? .refused(.revoked) : .admitted(name: entry.name)
  }

  /// Whether each client needs a key that the list admits. This is the case if the list contains
  /// any key of a client, even a revoked key.
  public var restrictsClients: Bool { holders.keys.contains { $0.role == .client } }

  /// Returns whether another list admits every key that this list admits.
  public func isCovered(by other: AllowList) -> Bool {
    holders.values.allSatisfy { entry in
      if entry.isRevoked { return true }
      if case .admitted = other.verdict(on: entry.key, as: entry.role) { return true }
      return false
    }
  }

  // MARK: Changing

  /// Admits a key.
  ///
  /// - Throws: ``KeyError/nameIsTaken(_:)``; ``KeyError/isAllowed(name:)``;
  ///   or ``KeyError/wasRevoked(name:)``, because a peer whose key was revoked can return only with
  ///   another key.
  public mutating func allow(_ entry: AllowListEntry) throws(KeyError) {
    let holder = Holder(role: entry.role, key: entry.key)
    if let known = holders[holder] {
      throw known.isRevoked ? .wasRevoked(name: known.name) : .isAllowed(name: known.name)
    }
    guard !keys.contains(where: { $0.name == entry.name }) else { throw .nameIsTaken(entry.name) }
    lines.append(.key(entry))
    index(entry)
  }

  /// Revokes the key of this name.
  ///
  /// - Returns: The revoked line.
  /// - Throws: ``KeyError/noSuchName(_:)``.
  @discardableResult
  public mutating func revoke(_ name: String) throws(KeyError) -> AllowListEntry {
    for (index, line) in lines.enumerated() {
      guard case .key(var entry) = line, entry.name == name else { continue }
      entry.isRevoked = true
      lines[index] = .key(entry)
      holders[Holder(role: entry.role, key: entry.key)] = entry
      return entry
    }
    throw .noSuchName(name)
  }

  /// The list as text, including comments.
  public var text: String {
    lines.map { line in
      switch line {
      case .key(let key): key.line + "\n"
      case .other(let text): text + "\n"
      }
    }.joined()
  }
}
