internal import LocalInstallation
internal import Output
internal import Signing

/// The services that the demo uses.
struct DemoServices: Sendable {
  /// The gateway's ZeroMQ endpoint for clients.
  let gateway: String
  let rest: HTTPAddress
  /// The signer of requests to ``rest``; `nil` if the requests need no signature.
  let signer: RequestSigner?
  /// The directories in which to look for the operator's endpoint.
  let places: [String]
  /// The supervisor of the services; `nil` unless the demo has started the services and may kill
  /// them.
  let installation: Installation?

  init(
    gateway: String, rest: HTTPAddress, places: [String], installation: Installation?,
    environment: [String: String]
  ) {
    self.gateway = gateway
    self.rest = rest
    signer = LocalAccessKeyFinder.signer(for: rest, in: places, environment: environment)
    self.places = places
    self.installation = installation
  }

  /// Describes the services of an installation that is ready.
  init(of installation: Installation) throws(CommandFailure) {
    let settings = installation.settings
    let running = try RunningGateway.find(in: [settings.runtimeDirectory])
    self.init(
      gateway: running.clientEndpoint,
      rest: .tcp(host: "127.0.0.1", port: settings.restPort), places: [settings.runtimeDirectory],
      installation: installation, environment: [:])
  }

  /// Whether the gateway's operator endpoint is on this machine.
  var hasOperator: Bool {
    installation != nil || (try? RunningGateway.find(in: places)) != nil
  }

  var restURL: String { "http://\(rest.host)" }

  /// The path of the gateway's Unix socket; `nil` for a gateway with another endpoint.
  var gatewayPath: String? {
    gateway.hasPrefix("ipc://") ? String(gateway.dropFirst("ipc://".count)) : nil
  }
}
