/// The parts of an HTTP request that a signature covers, in the form in which the client sends
/// them.
public struct SignableRequest: Sendable {
  /// A header line.
  public struct Header: Hashable, Sendable {
    /// The name, in upper or lower case.
    public var name: String

    /// The value as the client sends it.
    public var value: String

    /// Creates a header line.
    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  /// The method in capitals, such as `POST`.
  public var method: String

  /// The percent-encoded path as the client sends it.
  public var path: String

  /// The percent-encoded query after the first question mark; empty if there is no question mark.
  public var query: String

  /// All header lines, including `Host`.
  public var headers: [Header]

  /// The body; empty for a request without a body.
  public var body: [UInt8]

  /// Creates a request from its parts.
  public init(
    method: String, path: String, query: String = "", headers: [Header], body: [UInt8] = []
  ) {
    (self.method, self.path, self.query) = (method, path, query)
    (self.headers, self.body) = (headers, body)
  }

  /// Returns the values of a header in the order in which the client sends the values.
  ///
  /// - Parameter name: The name in lower case.
  func values(of name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name }.map(\.value)
  }
}
