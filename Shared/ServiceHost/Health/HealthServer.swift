internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import ServiceLifecycle

/// A server of `/livez`, `/readyz` and `/metrics` on one address.
///
/// `/livez` answers 200 as long as this process responds. `/livez` checks nothing else, so that no
/// supervisor restarts a process because of another process's fault. `/readyz` answers 200 if all
/// checks pass, and otherwise 503.
struct HealthServer: Service {
  enum Address: Hashable, CustomStringConvertible {
    case unixSocket(path: String)
    /// A port of 127.0.0.1; 0 for any free port.
    case loopback(port: Int)

    var description: String {
      switch self {
      case .unixSocket(let path): path
      case .loopback(let port): "127.0.0.1:\(port)"
      }
    }
  }

  let address: Address
  let health: HealthChecks
  let metrics: MetricsRegistry
  let logger: Logger
  /// Called once with the server's address. The address contains the port that the system chose.
  var onListening: @Sendable (Address) -> Void = { _ in }

  func run() async throws {
    let listening = Latch()
    // The server would log each request, but these lines are not useful here.
    var serverLogger = logger
    serverLogger.logLevel = max(logger.logLevel, .warning)
    let application = Application(
      router: router(),
      // The server disconnects a peer that connects and sends nothing.
      server: HTTPServerBuilder { responder in
        ConnectionClosingChannel(
          HTTP1Channel(responder: responder, configuration: .init(idleTimeout: .seconds(60))))
      },
      configuration: ApplicationConfiguration(address: bindAddress, serverName: nil),
      onServerRunning: { [logger, address, onListening] channel in
        listening.set()
        let bound = Self.bound(address, port: channel.localAddress?.port)
        logger.info("Serving health and metrics", metadata: [LogMetadataKey.endpoint: "\(bound)"])
        onListening(bound)
      },
      logger: serverLogger)
    do {
      try await application.run()
    } catch  where !listening.isSet {
      throw HostError(cannotListenOn: "\(address)", because: error)
    }
  }

  private var bindAddress: BindAddress {
    switch address {
    case .unixSocket(let path): .unixDomainSocket(path: path)
    case .loopback(let port): .hostname("127.0.0.1", port: port)
    }
  }

  private static func bound(_ address: Address, port: Int?) -> Address {
    switch address {
    case .unixSocket: address
    case .loopback(let requested): .loopback(port: port ?? requested)
    }
  }

  private func router() -> Router<BasicRequestContext> {
    // Monitors may use HEAD. The server answers HEAD like GET, without a body.
    let router = Router(options: .autoGenerateHeadEndpoints)
    router.get("livez") { _, _ in
      Self.response(.ok, "application/json", #"{"status":"alive"}"#)
    }
    router.get("readyz") { [health] _, _ in
      let readiness = await health.readiness()
      let status: HTTPResponse.Status = readiness == .ready ? .ok : .serviceUnavailable
      return Self.response(status, "application/json", readiness.json)
    }
    router.get("metrics") { [metrics] _, _ in
      Self.response(.ok, PrometheusText.contentType, metrics.prometheusText())
    }
    return router
  }

  private static func response(
    _ status: HTTPResponse.Status, _ contentType: String, _ body: String
  ) -> Response {
    Response(
      status: status, headers: [.contentType: contentType, .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
  }
}
