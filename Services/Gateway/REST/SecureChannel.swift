import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// Connections over TLS, each one with the certificate that counts when it begins.
///
/// Hummingbird's own channel for this keeps the certificate that it was made with.
struct SecureChannel<Base: ServerChildChannel>: ServerChildChannel {
  private let plain: Base
  private let certificate: ServerCertificate

  init(_ plain: Base, _ certificate: ServerCertificate) {
    (self.plain, self.certificate) = (plain, certificate)
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
    let context = certificate.context
    return channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
    }.flatMap {
      plain.setup(channel: channel, logger: logger)
    }
  }

  func handle(value: Base.Value, logger: Logger) async {
    await plain.handle(value: value, logger: logger)
  }
}
