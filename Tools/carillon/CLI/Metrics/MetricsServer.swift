internal import Glibc
internal import Hummingbird
internal import LocalInstallation
internal import Logging
internal import NIOCore
internal import Output

/// A server that serves metrics at `/metrics` on a port of 127.0.0.1 until the process must stop.
struct MetricsServer: Sendable {
  /// The port; 0 selects a free port.
  let port: Int
  let collect: @Sendable () async -> String

  /// Runs the server.
  ///
  /// - Throws: ``CommandFailure`` if the server cannot listen on the port.
  func run() async throws {
    let latest = LatestMetrics(collect)
    let router = Router(options: .autoGenerateHeadEndpoints)
    router.get("metrics") { _, _ in
      Response(
        status: .ok,
        headers: [.contentType: MergedMetrics.contentType, .cacheControl: "no-store"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: await latest.text)))
    }
    var logger = Logger(label: "carillon.metrics")
    logger.logLevel = .warning
    let application = Application(
      router: router,
      server: .http1(configuration: .init(idleTimeout: .seconds(60))),
      configuration: ApplicationConfiguration(
        address: .hostname("127.0.0.1", port: port), serverName: nil),
      onServerRunning: { channel in
        Console.out("http://127.0.0.1:\(channel.localAddress?.port ?? port)/metrics")
      },
      logger: logger)
    do {
      try await application.runService()
    } catch let error as IOError {
      let text = "Cannot listen on 127.0.0.1:\(port): \(error)."
      throw error.errnoCode == EADDRINUSE ? CommandFailure.inUse(text) : .configuration(text)
    }
  }
}

/// The latest metrics, cached for one second so that many readers cause one request per instance.
private actor LatestMetrics {
  private let collect: @Sendable () async -> String
  private var collecting: (begun: ContinuousClock.Instant, task: Task<String, Never>)?

  init(_ collect: @escaping @Sendable () async -> String) { self.collect = collect }

  var text: String {
    get async {
      if let collecting, .now - collecting.begun < .seconds(1) {
        return await collecting.task.value
      }
      let task = Task { [collect] in await collect() }
      collecting = (.now, task)
      return await task.value
    }
  }
}
