internal import Crypto
internal import Foundation

/// Signs what receivers of events are sent, as the Standard Webhooks specification has it: an
/// HMAC-SHA-256 over the message's id, its time and its body, so that neither can be exchanged.
public enum WebhookSignature {
  /// What the header `webhook-signature` says.
  ///
  /// - Parameters:
  ///   - id: As in `webhook-id`.
  ///   - seconds: As in `webhook-timestamp`, since 1970-01-01T00:00:00Z.
  ///   - secret: The bytes behind `whsec_`, decoded.
  public static func text(
    id: String, seconds: Int64, body: [UInt8], secret: [UInt8]
  ) -> String {
    let signed = Array("\(id).\(seconds).".utf8) + body
    let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: secret))
    return "v1,\(Data(code).base64EncodedString())"
  }
}
