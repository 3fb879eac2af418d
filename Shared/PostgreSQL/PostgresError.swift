/// An error of a PostgreSQL server or of the connection to the server.
public struct PostgresError: Error, Hashable, CustomStringConvertible {
  /// The kind of a failure.
  public enum Kind: Hashable, Sendable {
    /// The address is malformed.
    case address

    /// Connecting failed, or the connection broke. The server may have run the last statement.
    case unreachable

    /// The server did not answer in time, so the connection is unusable. The server may have run
    /// the last statement.
    case timedOut

    /// The server rejected a statement. `sqlState` has five characters (PostgreSQL 15, appendix A).
    case refused(sqlState: String)

    /// A value has a type that this library does not read or write.
    case type
  }

  /// The kind of failure.
  public let kind: Kind

  /// A text for the operator's log. The text does not contain the statement.
  public let message: String

  init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// The class of a rejection: the first two characters of its SQLSTATE; `nil` for other errors.
  public var refusalClass: Substring? {
    guard case .refused(let state) = kind else { return nil }
    return state.prefix(2)
  }

  /// Whether the connection is unusable after this error.
  public var endsConnection: Bool {
    switch kind {
    case .unreachable, .timedOut: true
    // 57P01 to 57P05: the server ended the connection, for example because the server shuts down or
    // crashed. 57014, a cancelled statement, does not end the connection.
    case .refused(let state): state.hasPrefix("57P")
    case .address, .type: false
    }
  }

  /// Whether the connection is closed, for example because the server restarted while the
  /// connection was idle. A timeout is not a closed connection.
  public var isBroken: Bool { endsConnection && kind != .timedOut }

  /// The SQLSTATE, if the error has a SQLSTATE, and the message.
  public var description: String {
    guard case .refused(let state) = kind else { return message }
    return "\(state): \(message)"
  }
}
