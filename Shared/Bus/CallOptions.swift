internal import Wire

/// What a caller says about one call, beside its request.
public struct CallOptions: Sendable {
  /// How long the caller waits. Travels as the time left, so that the answerer stops too.
  public var timeout: Duration

  /// The client's session: sixteen bytes, or empty between services.
  public var sessionID: [UInt8]

  /// The owner's term that the caller knows; 0 when it knows none.
  public var term: UInt64

  /// W3C Trace Context `traceparent`, or empty.
  public var traceparent: String

  /// Says that a repeat with the same key is the same call; at most 64 characters, or empty.
  public var idempotencyKey: String

  /// Makes options; a call without a session, a term or a key needs only a timeout.
  public init(
    timeout: Duration = .seconds(5), sessionID: [UInt8] = [], term: UInt64 = 0,
    traceparent: String = "", idempotencyKey: String = ""
  ) {
    self.timeout = timeout
    self.sessionID = sessionID
    self.term = term
    self.traceparent = traceparent
    self.idempotencyKey = idempotencyKey
  }

  /// Longer ones travel as this.
  private static let longestTimeout = Duration.seconds(86_400)

  /// The header of a call with these options.
  func header(callID: UInt64, method: UInt32) -> V1.RequestHeader {
    let (seconds, attoseconds) = min(max(timeout, .microseconds(1)), Self.longestTimeout).components
    let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    return V1.RequestHeader(
      version: RequestHeaderVersion.current, callID: callID, kind: .call, method: method,
      timeoutUs: UInt64(microseconds), sessionID: sessionID, term: term, traceparent: traceparent,
      idempotencyKey: idempotencyKey)
  }
}

/// The major version of the contract, as request headers carry it.
public enum RequestHeaderVersion {
  /// The version that this code speaks and answers.
  public static let current: UInt32 = 1
}
