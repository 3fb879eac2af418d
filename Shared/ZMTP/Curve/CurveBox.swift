internal import CSodium

/// The boxes of the handshake: bytes that only one side can seal and only the other side can open
/// (26/CurveZMQ, "CurveZMQ Commands").
enum CurveBox {
  /// The number of bytes by which a box is longer than its content.
  static let overhead = 16

  /// Seals bytes from one key to another.
  ///
  /// - Returns: `nil` if `recipient` is an invalid point, with which the two sides cannot agree on
  ///   a secret.
  static func seal(
    _ bytes: [UInt8], _ nonce: CurveNonce, from sender: CurveSecretKey, to recipient: CurvePublicKey
  ) -> [UInt8]? {
    var box = [UInt8](repeating: 0, count: bytes.count + overhead)
    let result = unsafe nonce.withPointer { nonce in
      unsafe sender.secret.withBytes { secret in
        unsafe crypto_box_easy(
          &box, bytes, UInt64(bytes.count), nonce, recipient.bytes, secret)
      }
    }
    return result == 0 ? box : nil
  }

  /// Opens a box.
  ///
  /// - Returns: `nil` if the sender sealed the box with or for another key, or if somebody changed
  ///   the box.
  static func open(
    _ box: ArraySlice<UInt8>, _ nonce: CurveNonce, from sender: CurvePublicKey,
    to recipient: CurveSecretKey
  ) -> [UInt8]? {
    guard box.count >= overhead else { return nil }
    var bytes = [UInt8](repeating: 0, count: box.count - overhead)
    let box = Array(box)
    let result = unsafe nonce.withPointer { nonce in
      unsafe recipient.secret.withBytes { secret in
        unsafe crypto_box_open_easy(
          &bytes, box, UInt64(box.count), nonce, sender.bytes, secret)
      }
    }
    return result == 0 ? bytes : nil
  }

  /// Seals bytes so that only this side can open the box.
  static func seal(_ bytes: [UInt8], _ nonce: CurveNonce, with key: CurveSecret) -> [UInt8] {
    var box = [UInt8](repeating: 0, count: bytes.count + overhead)
    unsafe nonce.withPointer { nonce in
      unsafe key.withBytes {
        _ = unsafe crypto_secretbox_easy(&box, bytes, UInt64(bytes.count), nonce, $0)
      }
    }
    return box
  }

  /// Opens a box that this side sealed.
  ///
  /// - Returns: `nil` if the sender sealed the box with another key, or if somebody changed the
  ///   box.
  static func open(
    _ box: ArraySlice<UInt8>, _ nonce: CurveNonce, with key: CurveSecret
  ) -> [UInt8]? {
    guard box.count >= overhead else { return nil }
    var bytes = [UInt8](repeating: 0, count: box.count - overhead)
    let box = Array(box)
    let result = unsafe nonce.withPointer { nonce in
      unsafe key.withBytes {
        unsafe crypto_secretbox_open_easy(&bytes, box, UInt64(box.count), nonce, $0)
      }
    }
    return result == 0 ? bytes : nil
  }

  /// Returns the shared secret of two sides. Each side computes the secret from its own secret key
  /// and the other side's public key.
  ///
  /// Sealing bytes with this secret has the same result as sealing the bytes from one key to the
  /// other.
  ///
  /// - Returns: `nil` if `publicKey` is an invalid point, with which the two sides cannot agree on
  ///   a secret.
  static func agree(_ publicKey: CurvePublicKey, _ secretKey: CurveSecretKey) -> CurveSecret? {
    var result: CInt = 0
    let key = unsafe CurveSecret { target in
      unsafe secretKey.secret.withBytes {
        result = unsafe crypto_box_beforenm(target, publicKey.bytes, $0)
      }
    }
    return result == 0 ? key : nil
  }
}

extension CurveNonce {
  /// Passes a pointer to the 24 bytes to `body`.
  func withPointer<R>(_ body: (UnsafePointer<UInt8>) -> R) -> R {
    unsafe bytes.span.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { preconditionFailure("24 bytes.") }
      return unsafe body(start)
    }
  }
}
