import Foundation
import Testing

@testable import WebRTC

/// A key and a certificate made by `openssl`, in a separate folder. The deinitializer deletes the
/// folder.
final class OpenSSLCertificate {
  let fingerprint: DTLSFingerprint
  private let folder: URL

  /// - Parameter kind: The argument of `openssl req -newkey`, and its options.
  init(_ kind: [String] = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]) throws {
    folder = URL.temporaryDirectory.appending(path: "carillon-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (key, certificate) = (folder.appending(path: "key"), folder.appending(path: "certificate"))
    let files = ["-keyout", key.path, "-out", certificate.path]
    let request = try OpenSSLProgram(
      ["req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=peer"] + files + ["-newkey"] + kind)
    try #require(try request.end() == 0, "\(request.text)")
    let reader = try OpenSSLProgram(
      ["x509", "-in", certificate.path, "-noout", "-fingerprint", "-sha256"])
    let digits = try #require(reader.line(after: "sha256 Fingerprint="))
    fingerprint = try #require(DTLSFingerprint("sha-256 \(digits)"))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Returns the certificate as DER.
  func certificate() throws -> [UInt8] { try der(of: "x509", "certificate") }

  /// Returns the key as DER.
  func key() throws -> [UInt8] { try der(of: "pkey", "key") }

  private func der(of command: String, _ name: String) throws -> [UInt8] {
    let (input, output) = (folder.appending(path: name), folder.appending(path: "\(name).der"))
    let program = try OpenSSLProgram(
      [command, "-in", input.path, "-outform", "DER", "-out", output.path])
    try #require(try program.end() == 0, "\(program.text)")
    return Array(try Data(contentsOf: output))
  }

  /// Options that name the two files.
  var options: [String] {
    [
      "-key", folder.appending(path: "key").path,
      "-cert", folder.appending(path: "certificate").path,
    ]
  }
}
