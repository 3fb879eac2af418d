internal import COpenSSL
internal import SRTP

/// The handshake of an OpenSSL DTLS session, over datagrams in memory.
///
/// Only one thread uses a session at a time.
@safe final class DTLSSession {
  /// The result of one step of the session.
  enum Progress: Hashable {
    /// The session waits for a datagram.
    case waiting
    case finished
    case failed(DTLSFailure)
    /// The peer sent close_notify.
    case closed
  }

  let role: DTLSRole

  /// An `SSL`, which owns the BIO over ``datagrams``.
  let handle: OpaquePointer
  private let datagrams = DatagramQueue()
  private let identity: DTLSIdentity

  /// The fingerprints of the peer's offer.
  ///
  /// The peer's certificate must match one of these fingerprints.
  private let expected: [DTLSFingerprint]

  /// The reason why ``verify(_:)`` refused the peer.
  private var refusal: DTLSFailure?

  /// - Parameters:
  ///   - expected: The peer's fingerprints, all of one hash function.
  ///   - profiles: The allowed protection profiles, preferred first; not empty.
  /// - Throws: An error if OpenSSL is out of memory.
  init(
    _ role: DTLSRole, identity: DTLSIdentity, expecting expected: [DTLSFingerprint],
    profiles: [ProtectionProfile]
  ) throws(OpenSSLError) {
    (self.role, self.identity, self.expected) = (role, identity, expected)
    guard let made = unsafe SSL_new(identity.context) else { throw OpenSSLError("SSL_new") }
    unsafe handle = unsafe made
    let bio = try unsafe DatagramBIO.make(over: datagrams)
    unsafe SSL_set_bio(handle, bio, bio)
    // Unlike most functions of OpenSSL, this function returns 0 on success.
    let names = profiles.map(\.name).joined(separator: ":")
    guard unsafe SSL_set_tlsext_use_srtp(handle, names) == 0 else {
      throw OpenSSLError("SSL_set_tlsext_use_srtp")
    }
    unsafe SSL_set_ex_data(handle, 0, Unmanaged.passUnretained(self).toOpaque())
    unsafe SSL_ctrl(handle, DTLS_CTRL_SET_LINK_MTU, CLong(DatagramBIO.linkMTU), nil)
    unsafe DTLS_set_timer_cb(handle) { _, last in DTLSSession.timeout(after: last) }
    unsafe role == .client ? SSL_set_connect_state(handle) : SSL_set_accept_state(handle)
  }

  deinit { unsafe SSL_free(handle) }

  /// Offers a datagram to the handshake, or begins the handshake of a client.
  func shakeHands(_ datagram: [UInt8]? = nil) -> Progress {
    if let datagram { datagrams.offer(datagram) }
    ERR_clear_error()
    let result = unsafe SSL_do_handshake(handle)
    return result == 1 ? .finished : progress(after: result)
  }

  /// Retransmits the last flight if the flight's timer expired.
  func retransmit() -> Progress {
    ERR_clear_error()
    let result = unsafe SSL_ctrl(handle, DTLS_CTRL_HANDLE_TIMEOUT, 0, nil)
    return result < 0 ? .failed(failure()) : .waiting
  }

  /// Returns and removes the datagrams for the peer.
  func takeOutgoing() -> [[UInt8]] { datagrams.takeOutgoing(mtu: DatagramBIO.linkMTU) }

  /// The time until ``retransmit()`` is due; `nil` if no flight waits for an answer.
  ///
  /// The result never exceeds ``longestTimeout``, even if somebody sets the system's clock back.
  var timeToRetransmission: Duration? {
    var time = timeval()
    guard unsafe SSL_ctrl(handle, DTLS_CTRL_GET_TIMEOUT, 0, &time) == 1 else { return nil }
    let left = Duration.seconds(Int64(time.tv_sec)) + .microseconds(Int64(time.tv_usec))
    return min(left, .microseconds(Int64(Self.longestTimeout)))
  }

  /// Returns the result of the handshake; `nil` if the peers selected no SRTP profile.
  func association() -> DTLSAssociation? {
    guard let profile = selectedProfile, let cipher = unsafe SSL_get_current_cipher(handle),
      let keys = exportKeys(for: profile)
    else { return nil }
    return DTLSAssociation(
      role: role, profile: profile, keys: keys,
      cipher: unsafe String(cString: SSL_CIPHER_get_name(cipher)),
      version: unsafe String(cString: SSL_get_version(handle)))
  }

  private var selectedProfile: ProtectionProfile? {
    guard let selected = unsafe SSL_get_selected_srtp_profile(handle) else { return nil }
    return unsafe ProtectionProfile(rawValue: UInt16(truncatingIfNeeded: selected.pointee.id))
  }

  /// Exports keying material (RFC 5764, §4.2; RFC 5705), divides the material into keys, and wipes
  /// the material.
  private func exportKeys(for profile: ProtectionProfile) -> SRTPKeys? {
    let count = profile.exportedLength
    var material = [UInt8](repeating: 0, count: count)
    let label = SRTPKeys.exporterLabel
    let result = unsafe SSL_export_keying_material(
      handle, &material, count, label, label.utf8.count, nil, 0, 0)
    return result == 1 ? SRTPKeys(profile: profile, wiping: &material) : nil
  }
}

// MARK: - Failures

extension DTLSSession {
  private func progress(after result: CInt) -> Progress {
    guard result <= 0 else { return .waiting }
    switch unsafe SSL_get_error(handle, result) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .waiting
    case SSL_ERROR_ZERO_RETURN: return .closed
    default: return .failed(failure())
    }
  }

  /// Returns the cause of OpenSSL's newest error of this thread.
  private func failure() -> DTLSFailure {
    defer { ERR_clear_error() }
    return refusal ?? DTLSFailure(reason: ERR_GET_REASON(ERR_peek_last_error()))
  }
}

extension DTLSFailure {
  /// Creates the failure for a reason of OpenSSL (<openssl/sslerr.h>).
  fileprivate init(reason: CInt) {
    switch reason {
    case SSL_AD_REASON_OFFSET...SSL_AD_REASON_OFFSET + 255:
      self = .alert(UInt8(reason - SSL_AD_REASON_OFFSET))
    case SSL_R_READ_TIMEOUT_EXPIRED: self = .timedOut
    case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE: self = .fingerprint
    case SSL_R_NO_SHARED_CIPHER, SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM, SSL_R_UNSUPPORTED_PROTOCOL,
      SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS, SSL_R_UNKNOWN_PROTOCOL, SSL_R_WRONG_SSL_VERSION:
      self = .incompatible
    default: self = .malformed
    }
  }
}

// MARK: - Callbacks of OpenSSL

extension DTLSSession {
  /// The first timeout in µs. The timeout is shorter than RFC 6347 (§4.2.4.1) suggests, because
  /// users wait.
  static let firstTimeout: CUnsignedInt = 250_000

  /// The longest timeout in µs.
  ///
  /// OpenSSL gives up after twelve timeouts, at the earliest after 27.75 s.
  static let longestTimeout: CUnsignedInt = 3_000_000

  /// Returns the timeout that follows a timeout of `last` µs. A value of 0 means the start of a
  /// flight.
  static func timeout(after last: CUnsignedInt) -> CUnsignedInt {
    last == 0 ? firstTimeout : min(last * 2, longestTimeout)
  }

  /// Verifies the peer's certificate in place of OpenSSL's search for an authority.
  ///
  /// If this function refuses, OpenSSL sends the peer an alert and the handshake fails.
  ///
  /// - Returns: 1 to continue, 0 to refuse.
  static func verify(_ store: OpaquePointer?) -> CInt {
    let index = SSL_get_ex_data_X509_STORE_CTX_idx()
    guard let handle = unsafe X509_STORE_CTX_get_ex_data(store, index),
      let data = unsafe SSL_get_ex_data(OpaquePointer(handle), 0)
    else { return 0 }
    let session = unsafe Unmanaged<DTLSSession>.fromOpaque(data).takeUnretainedValue()
    session.refusal = unsafe session.refusal(of: X509_STORE_CTX_get0_cert(store))
    guard let refusal = session.refusal else { return 1 }
    unsafe X509_STORE_CTX_set_error(store, refusal.verification)
    return 0
  }

  private func refusal(of certificate: OpaquePointer?) -> DTLSFailure? {
    guard let hash = expected.first?.hash,
      let shown = unsafe DTLSFingerprint(hash, of: certificate), expected.contains(shown)
    else { return .fingerprint }
    return selectedProfile == nil ? .noProfile : nil
  }
}

extension DTLSFailure {
  /// The error for OpenSSL. The error makes OpenSSL send bad_certificate for a wrong fingerprint,
  /// and handshake_failure otherwise.
  fileprivate var verification: CInt {
    self == .fingerprint ? X509_V_ERR_CERT_REJECTED : X509_V_ERR_APPLICATION_VERIFICATION
  }
}
