/// What went wrong at a PostgreSQL server, or on the way to it.
public struct PostgresError: Error, Hashable, CustomStringConvertible {
  /// What kind of failure it is.
  public enum Kind: Hashable, Sendable {
    /// The address cannot be read.
    case address

    /// There is no connection: it could not be made, or it broke. What was asked for last may have
    /// been done.
    case unreachable

    /// The server did not answer in time; the connection is given up. What was asked for last may
    /// have been done.
    case timedOut

    /// The server refused a statement, with the five characters of its SQLSTATE (PostgreSQL 15,
    /// appendix A).
    case refused(sqlState: String)

    /// A value has a type that this library does not read or write.
    case type
  }

  /// What kind of failure it is.
  public let kind: Kind

  /// For the operator's log. It holds neither statements nor values.
  public let message: String

  init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// The class of a refusal: the first two characters of its SQLSTATE; `nil` for what is none.
  public var refusalClass: Substring? {
    guard case .refused(let state) = kind else { return nil }
    return state.prefix(2)
  }

  /// Whether the connection is of no use any more.
  public var endsConnection: Bool {
    switch kind {
    case .unreachable, .timedOut: true
    // Operator intervention: the server shuts down or has crashed. A cancelled statement is none.
    case .refused(let state): state.hasPrefix("57P")
    case .address, .type: false
    }
  }

  /// Whether the connection broke, as one that stood idle does when the server was started anew;
  /// one that is only slow has not.
  public var isBroken: Bool { endsConnection && kind != .timedOut }

  /// The message, and the SQLSTATE where there is one.
  public var description: String {
    guard case .refused(let state) = kind else { return message }
    return "\(state): \(message)"
  }
}
