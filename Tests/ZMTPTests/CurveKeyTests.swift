import Testing

@testable import ZMTP

@Suite struct CurveKeyTests {
  @Test func `Z85 matches the example of the standard`() {
    let bytes: [UInt8] = [0x86, 0x4f, 0xd2, 0x6f, 0xb5, 0x59, 0xf7, 0x5b]
    #expect(Z85.encode(bytes) == "HelloWorld")
    #expect(Z85.decode("HelloWorld") == bytes)
    #expect(Z85.decode("") == [])
  }

  // `%nSc1` encodes 2^32, which does not fit into four bytes.
  @Test(arguments: ["Hell", "Hello ", "Hello\"orld", "#####", "%nSc1"])
  func `invalid Z85 is refused`(text: String) {
    #expect(Z85.decode(text) == nil)
  }

  // The test keys of zmq_curve(7).
  @Test(arguments: [
    ("Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID", "D:)Q[IlAW!ahhC2ac:9*A}h:p?([4%wOTJ%JR%cs"),
    ("rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7", "JTKVSB%%)wK0E.X)V>+}o?pNmC{O&4W4b!Ni{Lh6"),
  ])
  func `a secret key yields its public key and can be written as text`(
    publicText: String, text: String
  )
    throws
  {
    let key = try #require(CurveSecretKey(z85: text))
    #expect(key.publicKey == CurvePublicKey(z85: publicText))
    #expect(key.publicKey.z85 == publicText)
    #expect(key.z85 == text)
    #expect(CurveSecretKey(bytes: key.bytes)?.publicKey == key.publicKey)
  }

  @Test(arguments: ["", "HelloWorld", "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hIDHello"])
  func `keys without exactly 32 bytes are refused`(text: String) {
    #expect(CurvePublicKey(z85: text) == nil)
    #expect(CurveSecretKey(z85: text) == nil)
    #expect(CurvePublicKey(bytes: Array(text.utf8)) == nil)
    #expect(CurveSecretKey(bytes: Array(text.utf8)) == nil)
  }

  @Test func `two generated keys differ`() {
    #expect(CurveSecretKey().publicKey != CurveSecretKey().publicKey)
  }

  @Test func `a secret key is hidden in descriptions`() {
    let key = CurveSecretKey()
    let security = ZMTPSecurity.curveClient(serverKey: key.publicKey, secretKey: key)
    var dumped = ""
    dump(security, to: &dumped)
    for text in ["\(key)", String(reflecting: key), "\(security)", dumped] {
      #expect(text.contains(key.publicKey.z85))
      #expect(!text.contains(key.z85) && !text.contains("\(key.bytes)"))
    }
  }
}
