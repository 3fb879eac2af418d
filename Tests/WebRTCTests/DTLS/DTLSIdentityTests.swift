import Foundation
import Testing
import WebRTC

@Suite("DTLS identities")
struct DTLSIdentityTests {
  @Test("openssl can read an identity's certificate")
  func openSSLReads() throws {
    // The time is 2026-02-28T12:00:00Z, so the first and the last day of the certificate are in
    // different months.
    let identity = try DTLSIdentity(at: 1_772_280_000)
    let file = URL.temporaryDirectory.appending(path: "carillon-\(UUID().uuidString).der")
    try Data(identity.certificate).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let program = try OpenSSLProgram(
      [
        "x509", "-inform", "DER", "-in", file.path, "-noout", "-subject", "-dates", "-fingerprint",
        "-sha256",
      ])
    #expect(try program.end() == 0)
    #expect(program.text.contains("CN = Carillon"))
    #expect(program.text.contains("notBefore=Feb 27 12:00:00 2026 GMT"))
    #expect(program.text.contains("notAfter=Mar 29 12:00:00 2026 GMT"))
    #expect(program.text.contains("Fingerprint=\(identity.fingerprint.digits)\n"))
  }

  @Test("an identity can use an existing certificate and key", arguments: ["ec", "rsa:2048"])
  func ofOthers(kind: String) throws {
    let options = kind == "ec" ? ["-pkeyopt", "ec_paramgen_curve:P-256"] : []
    let made = try OpenSSLCertificate([kind] + options)
    let identity = try DTLSIdentity(certificate: try made.certificate(), key: try made.key())
    #expect(identity.fingerprint == made.fingerprint)
  }

  @Test("truncated bytes of an identity are refused, and so is the key of another identity")
  func refused() throws {
    let (made, other) = (try OpenSSLCertificate(), try OpenSSLCertificate())
    let (certificate, key) = (try made.certificate(), try made.key())
    #expect(throws: OpenSSLError.self) {
      try DTLSIdentity(certificate: certificate, key: try other.key())
    }
    for count in [0, 1, 50] {
      #expect(throws: OpenSSLError.self) {
        try DTLSIdentity(certificate: Array(certificate.prefix(count)), key: key)
      }
      #expect(throws: OpenSSLError.self) {
        try DTLSIdentity(certificate: certificate, key: Array(key.prefix(count)))
      }
    }
  }
}
