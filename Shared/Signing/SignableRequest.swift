/// What a signature covers of an HTTP request: all of it, as it is sent.
public struct SignableRequest: Sendable {
  /// A header line.
  public struct Header: Hashable, Sendable {
    /// The name, in any case.
    public var name: String

    /// The value, as it is sent.
    public var value: String

    /// Makes a header line.
    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  /// The method in capitals, such as `POST`.
  public var method: String

  /// The path, percent-encoded as it is sent.
  public var path: String

  /// What stands after the first question mark, percent-encoded; empty if nothing does.
  public var query: String

  /// All header lines, `Host` among them.
  public var headers: [Header]

  /// The body; empty if there is none.
  public var body: [UInt8]

  /// Collects the parts of a request.
  public init(
    method: String, path: String, query: String = "", headers: [Header], body: [UInt8] = []
  ) {
    (self.method, self.path, self.query) = (method, path, query)
    (self.headers, self.body) = (headers, body)
  }

  /// The values of a header, in the order in which they are sent.
  ///
  /// - Parameter name: In lower case.
  func values(of name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name }.map(\.value)
  }
}
