/// The reason why a DTLS handshake failed.
///
/// Operators see the names in metrics.
public enum DTLSFailure: Error, Hashable, Sendable {
  /// The peer sent no certificate, or the peer's certificate matches no fingerprint of the peer's
  /// offer.
  case fingerprint
  /// The ends have no SRTP protection profile in common.
  case noProfile
  /// The ends have no version, cipher suite, curve or signature in common.
  case incompatible
  /// The handshake did not complete within ``DTLSHandshakeLimits/patience``.
  case timedOut
  /// The peer sent this fatal alert (RFC 5246, §7.2).
  case alert(UInt8)
  /// The peer broke the protocol.
  case malformed
  /// Before the handshake authenticated the peer, the peer sent more than ``DTLSHandshakeLimits``
  /// allows.
  case tooManyDatagrams
  /// The owner's ``HandshakeBudget`` has no place left.
  case tooManyHandshakes

  /// The name in metrics.
  ///
  /// All alerts share one name.
  public var name: String {
    switch self {
    case .fingerprint: "fingerprint"
    case .noProfile: "no_profile"
    case .incompatible: "incompatible"
    case .timedOut: "timed_out"
    case .alert: "alert"
    case .malformed: "malformed"
    case .tooManyDatagrams: "too_many_datagrams"
    case .tooManyHandshakes: "too_many_handshakes"
    }
  }
}
