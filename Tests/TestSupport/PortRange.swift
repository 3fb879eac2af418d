/// The ports that one process of tests may hand out, each in its turn.
public struct PortRange: Sendable {
  public enum Failure: Error, CustomStringConvertible {
    /// The text is not "FIRST-LAST".
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

  /// The variable of the environment in which whoever runs several processes of tests side by side
  /// gives each a range of its own.
  public static let variable = "TEST_PORTS"

  private let ports: ClosedRange<Int>
  private var next: Int

  /// Reads "FIRST-LAST".
  public init(_ text: String) throws(Failure) {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard ends.count == 2, let first = ends[0], let last = ends[1], first >= 1, first <= last,
      last <= 65_535
    else { throw .unreadable(text) }
    ports = first...last
    next = first
  }

  /// The next port that is free; after the last one comes the first one again.
  ///
  /// - Parameter isFree: Whether nobody uses a port.
  public mutating func take(where isFree: (Int) -> Bool) throws(Failure) -> Int {
    for _ in ports {
      let port = next
      next = port == ports.upperBound ? ports.lowerBound : port + 1
      if isFree(port) { return port }
    }
    throw .exhausted(ports)
  }
}
