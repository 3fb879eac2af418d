internal import Crypto
internal import Foundation

/// Signs webhook messages as the Standard Webhooks specification requires: with an HMAC-SHA-256 of
/// the id, the time and the body of the message.
public enum WebhookSignature {
  /// Returns the value of the header `webhook-signature`.
  ///
  /// - Parameters:
  ///   - id: The value of the header `webhook-id`.
  ///   - seconds: The value of the header `webhook-timestamp`: the seconds since
  ///     1970-01-01T00:00:00Z.
  ///   - secret: The decoded secret: the bytes that the text after `whsec_` encodes.
  public static func text(
    id: String, seconds: Int64, body: [UInt8], secret: [UInt8]
  ) -> String {
    let signed = Array("\(id).\(seconds).".utf8) + body
    let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: secret))
    return "v1,\(Data(code).base64EncodedString())"
  }
}
