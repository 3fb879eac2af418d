/// The range of ports that one test process may use. The installations use the ports one after
/// another.
public struct PortRange: Sendable {
  public enum Failure: Error, CustomStringConvertible {
    /// The text does not have the form "FIRST-LAST".
    case unreadable(String)

    /// Every port of the range is in use.
    case exhausted(ClosedRange<Int>)

    public var description: String {
      switch self {
      case .unreadable(let text):
        "\(PortRange.variable) is FIRST-LAST, for example 20000-20999, not \(text)."
      case .exhausted(let ports):
        """
        Every port from \(ports.lowerBound) to \(ports.upperBound) is in use: give the tests a \
        wider range in \(PortRange.variable).
        """
      }
    }
  }

  /// The environment variable with the range. If several test processes run side by side, each
  /// process needs its own range.
  public static let variable = "TEST_PORTS"

  private let ports: ClosedRange<Int>
  private var next: Int

  /// Parses a text of the form "FIRST-LAST".
  public init(_ text: String) throws(Failure) {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard ends.count == 2, let first = ends[0], let last = ends[1], first >= 1, first <= last,
      last <= 65_535
    else { throw .unreadable(text) }
    ports = first...last
    next = first
  }

  /// Returns the next free port. After the last port, the search continues with the first port.
  ///
  /// - Parameter isFree: Returns whether a port is free.
  public mutating func take(where isFree: (Int) -> Bool) throws(Failure) -> Int {
    for _ in ports {
      let port = next
      next = port == ports.upperBound ? ports.lowerBound : port + 1
      if isFree(port) { return port }
    }
    throw .exhausted(ports)
  }
}
