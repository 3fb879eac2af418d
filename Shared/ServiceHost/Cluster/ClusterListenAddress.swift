internal import ZeroMQ

/// The value of `--cluster-listen`: a host of this machine, and the ports that the service may use.
struct ClusterListenAddress: Hashable {
  enum Ports: Hashable {
    /// Any free ports.
    case any
    /// This port and the following ports.
    case from(Int)
    /// The first free ports of this range.
    case among(ClosedRange<Int>)
  }

  /// The host: a name, an address without brackets, or `*`.
  let host: String
  let allowed: Ports

  /// Reads `HOST`, `HOST:PORT` or `HOST:FROM-TO`; an IPv6 address has brackets.
  ///
  /// - Returns: The address; `nil` for any other text.
  init?(_ text: String) {
    let end = text.lastIndex(of: "]") ?? text.startIndex
    let colon = text[end...].firstIndex(of: ":")
    let host = String(text[..<(colon ?? text.endIndex)])
    guard let endpoint = try? Endpoint.tcp(host: host, port: 1),
      case .tcp(let bare, _) = endpoint.transport, !host.contains(":") || host.hasPrefix("[")
    else { return nil }
    self.host = bare
    guard let colon else {
      allowed = .any
      return
    }
    let numbers = text[text.index(after: colon)...]
      .split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { Self.port($0) }
    switch numbers.count {
    case 1:
      guard let first = numbers[0] else { return nil }
      allowed = .from(first)
    default:
      guard let first = numbers[0], let last = numbers[1], first <= last else { return nil }
      allowed = .among(first...last)
    }
  }

  private static func port(_ text: Substring) -> Int? {
    guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let number = Int(text), (1...65_535).contains(number)
    else { return nil }
    return number
  }

  /// Whether the host means every interface of this machine. Other hosts cannot connect to this
  /// kind of address.
  var isWildcard: Bool { ["*", "0.0.0.0", "::"].contains(host) }

  /// Checks that the address permits the given number of ports.
  ///
  /// - Throws: ``HostError/configuration(_:)`` if the address permits fewer ports.
  func checkRoom(for count: Int) throws(HostError) {
    switch allowed {
    case .any: return
    case .from(let first):
      guard first + count - 1 > 65_535 else { return }
      throw .configuration(
        """
        --cluster-listen needs \(count) ports from \(first) on, and ports end at 65535; choose a \
        lower port.
        """)
    case .among(let range):
      guard range.count < count else { return }
      throw .configuration(
        """
        --cluster-listen needs \(count) ports, and \(range.lowerBound)-\(range.upperBound) has \
        only \(range.count); name a larger range.
        """)
    }
  }

  /// Returns the given number of ports, in order. For `any` and `among`, the returned ports are
  /// free.
  ///
  /// - Throws: The errors of ``checkRoom(for:)``, and ``HostError/inUse(_:)`` if other processes
  ///   use too many of the ports.
  func ports(_ count: Int) throws(HostError) -> [Int] {
    try checkRoom(for: count)
    switch allowed {
    case .any:
      return try FreePort.find(count)
    case .from(let first):
      return Array(first..<first + count)
    case .among(let range):
      var free: [Int] = []
      for port in range where free.count < count && FreePort.isFree(port) { free.append(port) }
      guard free.count == count else {
        throw .inUse(
          """
          Fewer than \(count) of the ports \(range.lowerBound)-\(range.upperBound) are free; give \
          --cluster-listen more ports, or other ports.
          """)
      }
      return free
    }
  }
}
