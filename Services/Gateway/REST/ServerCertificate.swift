import Foundation
import Logging
import NIOSSL
import Secrets
import ServiceHost
import ServiceLifecycle
import Synchronization

/// The certificate that REST is served with, and its key, as two files have them.
///
/// Read again when one of the files changes, so that a renewed certificate counts for the next
/// connection. What cannot be used, such as a certificate whose key has not come yet, is passed
/// over until it can be: the one before goes on.
final class ServerCertificate: Sendable {
  private let certificatePath: String
  private let keyPath: String
  private let logger: Logger
  private let current: Mutex<Current>

  /// Bytes that a key's file has at most.
  private static let longestKey = 65_536

  /// How often the files are looked at.
  private static let interval = Duration.seconds(1)

  private struct Current {
    var context: NIOSSLContext

    /// What was read last, whether it could be used or not.
    var files: Files
  }

  private struct Files: Hashable {
    var certificate: Data
    var key: Data
  }

  /// - Throws: ``HostError/configuration(_:)`` if the files cannot be used.
  init(_ certificate: String, key: String, logger: Logger) throws(HostError) {
    (certificatePath, keyPath, self.logger) = (certificate, key, logger)
    do {
      let files = try Self.read(certificate, key)
      current = Mutex(Current(context: try Self.context(files), files: files))
    } catch {
      throw .configuration("TLS cannot be served with \(certificate) and \(key): \(error)")
    }
  }

  /// What new connections are served with.
  var context: NIOSSLContext { current.withLock { $0.context } }

  /// Follows the files until the process drains.
  func follow() async {
    await cancelWhenGracefulShutdown {
      while (try? await Task.sleep(for: Self.interval)) != nil { self.refresh() }
    }
  }

  /// Takes over what the files have now, if it can be used.
  func refresh() {
    do {
      let files = try Self.read(certificatePath, keyPath)
      guard current.withLock({ $0.files != files }) else { return }
      do {
        let context = try Self.context(files)
        current.withLock { $0 = Current(context: context, files: files) }
        logger.notice("Serving with a new certificate")
      } catch {
        current.withLock { $0.files = files }
        throw error
      }
    } catch {
      logger.warning(
        "The new certificate cannot be used; the one before goes on",
        metadata: [LogKey.error: "\(error)"])
    }
  }

  private static func read(_ certificate: String, _ key: String) throws -> Files {
    let secret: SecretFile?
    do throws(SecretFileError) {
      secret = try SecretFile(key, for: .group, limit: longestKey)
    } catch {
      throw Unusable(problem: "\(key): \(error.problem)")
    }
    guard let secret else { throw Unusable(problem: "There is no file \(key).") }
    return Files(
      certificate: try Data(contentsOf: URL(filePath: certificate)), key: Data(secret.bytes))
  }

  private static func context(_ files: Files) throws -> NIOSSLContext {
    let chain = try NIOSSLCertificate.fromPEMBytes(Array(files.certificate))
    let key = try NIOSSLPrivateKey(bytes: Array(files.key), format: .pem)
    guard !chain.isEmpty else { throw Unusable(problem: "There is no certificate in it.") }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    return try NIOSSLContext(configuration: configuration)
  }

  private struct Unusable: Error, CustomStringConvertible {
    var problem: String
    var description: String { problem }
  }
}
