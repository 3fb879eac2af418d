import Foundation
import Logging
import NIOSSL
import Secrets
import ServiceHost
import ServiceLifecycle
import Synchronization

/// The TLS certificate of the REST interface, and the certificate's key. The type reads the
/// certificate and the key from two files.
///
/// When a file changes, this type reads both files again, so new connections use a renewed
/// certificate. If the two files do not fit together, for example a new certificate with the old
/// key, the previous pair remains in use.
final class RESTServerCertificate: Sendable {
  private let certificatePath: String
  private let keyPath: String
  private let logger: Logger
  private let current: Mutex<Current>

  /// The largest size of a key file, in bytes.
  private static let longestKey = 65_536

  /// How often the type reads the files.
  private static let interval = Duration.seconds(1)

  private struct Current {
    var context: NIOSSLContext

    /// The contents of the files at the last read, even if these contents were unusable.
    var files: Files
  }

  private struct Files: Hashable {
    var certificate: Data
    var key: Data
  }

  /// - Throws: ``HostError/configuration(_:)`` if the files are unusable.
  init(_ certificate: String, key: String, logger: Logger) throws(HostError) {
    (certificatePath, keyPath, self.logger) = (certificate, key, logger)
    do {
      let files = try Self.read(certificate, key)
      current = Mutex(Current(context: try Self.context(files), files: files))
    } catch {
      throw .configuration("TLS cannot be served with \(certificate) and \(key): \(error)")
    }
  }

  /// The TLS context for new connections.
  var context: NIOSSLContext { current.withLock { $0.context } }

  /// Checks the files for changes until the process drains.
  func follow() async {
    await cancelWhenGracefulShutdown {
      while (try? await Task.sleep(for: Self.interval)) != nil { self.refresh() }
    }
  }

  /// If the current contents of the files are usable, uses them for new connections.
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
        "The new certificate is unusable, so the gateway keeps the previous one; correct the files",
        metadata: [LogMetadataKey.error: "\(error)"])
    }
  }

  private static func read(_ certificate: String, _ key: String) throws -> Files {
    let secret: SecretFile?
    do throws(SecretFileError) {
      secret = try SecretFile(key, for: .group, limit: longestKey)
    } catch {
      throw Unusable(problem: "\(key): \(error.problem)")
    }
    guard let secret else {
      throw Unusable(
        problem: "\(key) does not exist; name the file of the key with --tls-key-file.")
    }
    return Files(
      certificate: try Data(contentsOf: URL(filePath: certificate)), key: Data(secret.bytes))
  }

  private static func context(_ files: Files) throws -> NIOSSLContext {
    let chain = try NIOSSLCertificate.fromPEMBytes(Array(files.certificate))
    let key = try NIOSSLPrivateKey(bytes: Array(files.key), format: .pem)
    guard !chain.isEmpty else {
      throw Unusable(problem: "The file of the certificate contains no certificate in PEM format.")
    }
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
