internal import Wire

/// The options of one call, in addition to the call's request.
public struct CallOptions: Sendable {
  /// The time that the caller waits for an answer. The request contains the remaining time, so the
  /// server also stops at the deadline.
  public var timeout: Duration

  /// The client's session: sixteen bytes; empty for a call between services.
  public var sessionID: [UInt8]

  /// The owner's latest term that the caller knows; 0 if the caller knows no term.
  public var term: UInt64

  /// W3C Trace Context `traceparent`, or empty.
  public var traceparent: String

  /// The key by which the server recognises a repeated call: at most 64 characters; empty if the
  /// call has no key.
  public var idempotencyKey: String

  /// Makes options. A call without a session, a term or a key needs only a timeout.
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

  /// The longest timeout that a request may contain. This type reduces longer timeouts to this
  /// value.
  private static let longestTimeout = Duration.seconds(86_400)

  /// Returns the header of a call with these options.
  func header(callID: UInt64, method: UInt32) -> V1.RequestHeader {
    let (seconds, attoseconds) = min(max(timeout, .microseconds(1)), Self.longestTimeout).components
    let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    return V1.RequestHeader(
      version: RequestHeaderVersion.current, callID: callID, kind: .call, method: method,
      timeoutUs: UInt64(microseconds), sessionID: sessionID, term: term, traceparent: traceparent,
      idempotencyKey: idempotencyKey)
  }
}

/// The major version of the contract in request headers.
public enum RequestHeaderVersion {
  /// The version that this code sends and accepts.
  public static let current: UInt32 = 1
}
