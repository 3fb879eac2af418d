internal import ArgumentParser
internal import LocalInstallation
internal import Output

/// The command `carillon metrics`.
struct MetricsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics", abstract: "Prints the metrics of all services on this machine.",
    discussion: """
      The command reads /metrics of each instance, and adds the label instance. With --listen, it \
      serves the result at /metrics for Prometheus, which cannot read Unix sockets; set \
      honor_labels in Prometheus. deploy/ contains a configuration of Prometheus, alerts and \
      dashboards.
      """)

  @Option(
    help: """
      Serve the metrics on this port of 127.0.0.1 until the command is stopped; 0 picks a free port.
      """)
  var listen: UInt16?
  @Option(help: "Seconds that an instance may take to answer, 1-60.")
  var timeoutSeconds = 3
  @OptionGroup var runtime: InstallationSelectionOptions

  func validate() throws {
    guard (1...60).contains(timeoutSeconds) else {
      throw ValidationError("--timeout-seconds must be 1-60; got \(timeoutSeconds).")
    }
  }

  func run() async throws {
    let places = runtime.places
    let limit = Duration.seconds(timeoutSeconds)
    try await OutputFormat.text.reportingFailure {
      if let listen {
        try await MetricsServer(port: Int(listen)) {
          await Self.collect(HealthSockets(inFirstOf: places), within: limit)
        }
        .run()
      } else {
        guard let sockets = HealthSockets(inFirstOf: places) else {
          throw HealthSockets.noService(in: places)
        }
        Console.out(await Self.collect(sockets, within: limit))
      }
    }
  }

  /// Returns the metrics of all instances. If an instance does not answer, reports the instance as
  /// down.
  private static func collect(_ sockets: HealthSockets?, within limit: Duration) async -> String {
    var merged = MergedMetrics()
    for (instance, text) in await sockets?.metrics(within: limit) ?? [] {
      merged.note(instance, isUp: text != nil)
      merged.add(text ?? "", of: instance)
    }
    return merged.text
  }
}
