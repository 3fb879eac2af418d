import Testing

@testable import Signing

@Suite struct WebhookSignatureTests {
  /// The secret in the example of the Standard Webhooks specification.
  private let secret: [UInt8] = [
    0x31, 0xF2, 0x90, 0xF6, 0xBF, 0x06, 0x29, 0x8A, 0xAB, 0x4F, 0x08, 0xD4, 0x3C, 0x3F, 0x08, 0x2C,
    0xF6, 0x48, 0xA3, 0x62, 0xDA, 0x2D, 0xA4, 0xB0,
  ]
  private let body = Array(#"{"test": 2432232314}"#.utf8)
  private let id = "msg_p5jXN8AQM9LWM0D4loKWxJek"

  @Test func `the example of the specification gets the specified signature`() {
    #expect(
      WebhookSignature.text(id: id, seconds: 1_614_265_330, body: body, secret: secret)
        == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  }

  @Test func `an empty body gets the expected signature`() {
    #expect(
      WebhookSignature.text(id: "id", seconds: 0, body: [], secret: Array(0..<32))
        == "v1,u+jM393lOM6OGACLZrm7FfUsENahWipUTYgiDCB1LxQ=")
  }

  @Test func `a change of any signed part changes the signature`() {
    let texts = [
      WebhookSignature.text(id: id, seconds: 1, body: body, secret: secret),
      WebhookSignature.text(id: id + "1", seconds: 1, body: body, secret: secret),
      WebhookSignature.text(id: id, seconds: 2, body: body, secret: secret),
      WebhookSignature.text(id: id, seconds: 1, body: body + [0], secret: secret),
      WebhookSignature.text(id: id, seconds: 1, body: body, secret: secret + [1]),
    ]
    #expect(Set(texts).count == texts.count)
  }
}
