import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// HTTP/1.1 over TLS, each connection with the certificate that counts when it begins.
///
/// Hummingbird's own channel for this keeps the certificate that it was made with.
struct SecureChannel: ServerChildChannel {
  private let plain: HTTP1Channel
  private let certificate: ServerCertificate

  init(_ plain: HTTP1Channel, _ certificate: ServerCertificate) {
    (self.plain, self.certificate) = (plain, certificate)
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    let context = certificate.context
    return channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
    }.flatMap {
      plain.setup(channel: channel, logger: logger)
    }
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async {
    await plain.handle(value: value, logger: logger)
  }
}
