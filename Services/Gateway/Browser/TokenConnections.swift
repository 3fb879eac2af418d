/// The open connections of each join token. This type limits the number of connections with one
/// token.
///
/// A connection that exceeds the limit replaces the oldest connection. This type no longer counts a
/// replaced connection, even if that connection has not closed yet. So each further connection
/// replaces a different connection.
struct TokenConnections<Token: Hashable & Sendable>: Sendable {
  /// The maximum number of connections with one token.
  static var limit: Int { 8 }

  private var numbers: [Token: [BrowserConnectionID]] = [:]

  /// Adds a connection.
  ///
  /// - Returns: The connection to close, if the token has too many connections.
  mutating func open(_ number: BrowserConnectionID, with token: Token) -> BrowserConnectionID? {
    numbers[token, default: []].append(number)
    guard let open = numbers[token], open.count > Self.limit else { return nil }
    return numbers[token]?.removeFirst()
  }

  /// Removes a connection. Does nothing if a newer connection has replaced it.
  mutating func close(_ number: BrowserConnectionID, with token: Token) {
    numbers[token]?.removeAll { $0 == number }
    if numbers[token]?.isEmpty == true { numbers[token] = nil }
  }

  /// The number of tokens with an open connection.
  var count: Int { numbers.count }
}
