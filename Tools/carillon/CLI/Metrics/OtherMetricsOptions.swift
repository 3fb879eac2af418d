internal import ArgumentParser
internal import LocalInstallation

/// The options that name the metrics of other hosts.
struct OtherMetricsOptions: ParsableArguments {
  @Option(
    name: .customLong("metrics"),
    help: ArgumentHelp(
      "Where another host's `carillon metrics --listen` is reached; may be repeated.",
      discussion: "It listens on 127.0.0.1 of its host: a tunnel leads there.",
      valueName: "http://host:port"))
  var urls: [String] = []

  func validate() throws {
    for url in urls where HTTPAddress(url: url) == nil {
      throw ValidationError("--metrics must be http://HOST:PORT; got \(url).")
    }
  }

  var addresses: [HTTPAddress] { urls.compactMap(HTTPAddress.init(url:)) }
}
