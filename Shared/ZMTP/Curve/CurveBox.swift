internal import CSodium

/// Boxes of the handshake: bytes that only one side could seal and only the other can open
/// (26/CurveZMQ, "CurveZMQ Commands").
enum CurveBox {
  /// How much longer a box is than what it holds.
  static let overhead = 16

  /// Seals bytes from one key to another.
  ///
  /// - Returns: `nil` if `recipient` is no point that a secret can be agreed on with.
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

  /// - Returns: `nil` if it was sealed by or for another key, or was changed.
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

  /// Seals bytes for whoever sealed them.
  static func seal(_ bytes: [UInt8], _ nonce: CurveNonce, with key: CurveSecret) -> [UInt8] {
    var box = [UInt8](repeating: 0, count: bytes.count + overhead)
    unsafe nonce.withPointer { nonce in
      unsafe key.withBytes {
        _ = unsafe crypto_secretbox_easy(&box, bytes, UInt64(bytes.count), nonce, $0)
      }
    }
    return box
  }

  /// - Returns: `nil` if it was sealed with another key, or was changed.
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

  /// What two sides agree on: either makes the same of its own secret key and the other's public
  /// one. A box that is sealed with it is one from key to key.
  ///
  /// - Returns: `nil` if `publicKey` is no point that a secret can be agreed on with.
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
  /// Lends the 24 bytes.
  func withPointer<R>(_ body: (UnsafePointer<UInt8>) -> R) -> R {
    unsafe bytes.span.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { preconditionFailure("24 bytes.") }
      return unsafe body(start)
    }
  }
}
