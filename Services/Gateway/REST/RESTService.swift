import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceHost
import ServiceLifecycle

/// The service that serves REST over HTTP/1.1 until the process drains.
struct RESTService: Service {
  let settings: RESTSettings
  let face: RESTHandler

  /// The certificate for TLS; `nil` for plain HTTP.
  var certificate: RESTServerCertificate?
  let logger: Logger

  /// The setup for browsers' WebSockets on the same port; `nil` if the port serves none.
  var browsers: WebSocketUpgradeSetup?

  /// Called once, with the port on which the service listens.
  var onListening: @Sendable (Int) -> Void = { _ in }

  /// Serves until the process drains.
  ///
  /// - Throws: ``HostError/inUse(_:)`` if another process listens on the port, or if this machine
  ///   does not have the address; ``HostError/configuration(_:)`` if the system refuses the address
  ///   for another reason.
  func run() async throws {
    let plain = HTTP1Channel(
      responder: { request, writer, channel in
        try await RESTExchange(settings: settings, face: face, channel: channel)
          .answer(request, writer)
      },
      configuration: HTTP1Channel.Configuration(
        idleTimeout: TimeAmount(settings.timeout),
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: 16_384, maxHeaderListSize: 65_536, maxHeaderFieldCount: 128)))
    if let browsers {
      try await serve(HTTPAndWebSocketChannel(plain, browsers), with: certificate)
    } else {
      try await serve(ConnectionClosingChannel(plain), with: certificate)
    }
  }

  private func serve(
    _ plain: some ServerChildChannel, with certificate: RESTServerCertificate?
  ) async throws {
    guard let certificate else { return try await serve(plain) }
    try await withThrowingTaskGroup { tasks in
      tasks.addTask { await certificate.follow() }
      tasks.addTask { try await serve(TLSChannel(plain, certificate)) }
      defer { tasks.cancelAll() }
      // `follow()` ends only when the process drains.
      for try await _ in tasks {}
    }
  }

  private func serve(_ connections: some ServerChildChannel) async throws {
    // The server's own log has an entry for each connection. These entries would hide all other log
    // entries.
    var serverLogger = logger
    serverLogger.logLevel = max(logger.logLevel, .warning)
    let server = Server(
      childChannelSetup: AddressLimitChannel(
        connections, most: settings.maxConnectionsPerAddress,
        counting: face.metrics.crowdedOut),
      configuration: ServerConfiguration(
        address: .hostname(settings.host, port: settings.port), backlog: 1_024,
        availableConnectionsDelegate: ConnectionLimit(
          settings.maxConnections, beside: settings.maxClients,
          showing: face.metrics.connections)),
      onServerRunning: { channel in
        announce(channel.localAddress?.port ?? settings.port)
      },
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: serverLogger)
    do {
      try await server.run()
    } catch {
      // After the server has started to listen, the server throws no errors.
      throw HostError(cannotListenOn: "\(settings.host):\(settings.port)", because: error)
    }
  }

  private func announce(_ port: Int) {
    logger.notice(
      "Serving the REST API",
      metadata: [
        LogMetadataKey.endpoint: "\(settings.host):\(port)",
        "unsigned": "\(settings.allowsUnsigned)",
        "tls": "\(settings.isSecure)",
      ])
    if let web = face.web, web.files != nil, let url = settings.localURL(port: port) {
      logger.notice(
        "Serving the page for browsers",
        metadata: [
          LogMetadataKey.endpoint: "\(url.http("/"))", "lobby": "\(web.lobby.name)",
        ])
    }
    if settings.isExposed, !settings.isSecure {
      logger.warning(
        "The REST API is plain HTTP and can be reached from other machines; protect its network",
        metadata: [LogMetadataKey.endpoint: "\(settings.host):\(port)"])
    }
    onListening(port)
  }
}
