import Foundation
import Testing

@testable import Media

@Suite struct `A certificate of its own` {
  @Test func `openssl reads it and finds it signed by itself`() throws {
    // 2026-02-28T12:00:00Z: it ends in another month.
    let certificate = try SelfSignedCertificate(at: 1_772_280_000)
    let folder = URL.temporaryDirectory.appending(path: "carillon-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "certificate.der")
    try Data(certificate.der).write(to: file)
    let text = try openssl(
      "x509", "-inform", "DER", "-in", file.path, "-noout", "-subject",
      "-dates", "-fingerprint", "-sha256")
    #expect(text.contains("CN = Carillon"))
    #expect(text.contains("notBefore=Feb 27 12:00:00 2026 GMT"))
    #expect(text.contains("notAfter=Mar 29 12:00:00 2026 GMT"))
    #expect(text.contains("Fingerprint=\(certificate.fingerprint)"))
    let pem = folder.appending(path: "certificate.pem")
    _ = try openssl("x509", "-inform", "DER", "-in", file.path, "-out", pem.path)
    let verified = try openssl(
      "verify", "-CAfile", pem.path, "-check_ss_sig", "-attime", "1772280000", pem.path)
    #expect(verified.contains(": OK"))
  }

  private func openssl(_ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/openssl")
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
