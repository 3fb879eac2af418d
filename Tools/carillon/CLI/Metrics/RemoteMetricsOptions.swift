internal import ArgumentParser
internal import LocalInstallation

/// The options that name the metrics of other hosts.
struct RemoteMetricsOptions: ParsableArguments {
  @Option(
    name: .customLong("metrics"),
    help: ArgumentHelp(
      "URL of another host's `carillon metrics --listen`; may be repeated.",
      discussion: "That command listens on 127.0.0.1 of its host, so use a tunnel.",
      valueName: "http://host:port"))
  var urls: [String] = []

  func validate() throws {
    for url in urls where HTTPAddress(url: url) == nil {
      throw ValidationError("--metrics must be http://HOST:PORT; got \(url).")
    }
  }

  var addresses: [HTTPAddress] { urls.compactMap(HTTPAddress.init(url:)) }
}
