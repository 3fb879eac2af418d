internal import LocalInstallation
internal import Output
internal import Signing

/// The services that the demo plays on.
struct DemoServices: Sendable {
  /// ZeroMQ endpoint of the gateway for clients.
  let gateway: String
  let rest: HTTPAddress
  /// Signs what is sent to ``rest``; `nil` where that need not be.
  let signer: RequestSigner?
  /// Where to look for the operator's endpoint.
  let places: [String]
  /// The supervisor of the services, if they are the demo's own and may be killed.
  let installation: Installation?

  init(
    gateway: String, rest: HTTPAddress, places: [String], installation: Installation?,
    environment: [String: String]
  ) {
    self.gateway = gateway
    self.rest = rest
    signer = AccessKeyFinder.signer(for: rest, in: places, environment: environment)
    self.places = places
    self.installation = installation
  }

  /// The services of an installation that is ready.
  init(of installation: Installation) throws(CommandFailure) {
    let settings = installation.settings
    let running = try RunningGateway.find(in: [settings.runtimeDirectory])
    self.init(
      gateway: running.clientEndpoint,
      rest: .tcp(host: "127.0.0.1", port: settings.restPort), places: [settings.runtimeDirectory],
      installation: installation, environment: [:])
  }

  /// Whether the gateway's operator endpoint is on this machine, as it is for the demo's own.
  var hasOperator: Bool {
    installation != nil || (try? RunningGateway.find(in: places)) != nil
  }

  var restURL: String { "http://\(rest.host)" }

  /// Path of the gateway's Unix socket, if that is what it has.
  var gatewayPath: String? {
    gateway.hasPrefix("ipc://") ? String(gateway.dropFirst("ipc://".count)) : nil
  }
}
