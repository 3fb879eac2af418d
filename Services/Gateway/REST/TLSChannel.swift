import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// The channel for TLS connections. Each connection uses the certificate that is current at the
/// start of the connection.
///
/// Hummingbird's own TLS channel always uses its first certificate.
struct TLSChannel<Base: ServerChildChannel>: ServerChildChannel {
  private let plain: Base
  private let certificate: RESTServerCertificate

  init(_ plain: Base, _ certificate: RESTServerCertificate) {
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
