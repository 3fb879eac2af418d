package import ArgumentParser
internal import Bus
internal import Foundation
internal import ZeroMQ

/// The options that select the installation of a command.
package struct InstallationSelectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The installation's directory of Unix sockets.",
      discussion: """
        Default: $CARILLON_RUNTIME_DIR, else the first of /run/carillon, $XDG_RUNTIME_DIR/carillon \
        and /tmp/carillon-UID in which a gateway runs. To operate another machine, set \
        $CARILLON_OPERATOR to its gateway's tcp://HOST:PORT?curve=KEY.
        """),
    completion: .directory)
  package var runtimeDir: String?

  package init() {}

  /// The directories in which to look for the installation.
  package var places: [String] {
    RuntimeDirectory.places(
      requested: runtimeDir, environment: ProcessInfo.processInfo.environment)
  }

  /// Connects to a gateway's operator endpoint while `body` runs.
  ///
  /// - Throws: ``CommandFailure`` when no gateway runs there, and the errors of `body`.
  package func withOperator<Result>(
    _ body: (OperatorConnection) async throws -> Result
  ) async throws -> Result {
    let environment = ProcessInfo.processInfo.environment
    guard runtimeDir == nil, let endpoint = environment[Self.endpointVariable], !endpoint.isEmpty
    else { return try await OperatorConnection.with(gatewayIn: places, body) }
    return try await OperatorConnection.with(endpoint, as: try Self.keys(environment), body)
  }

  /// The environment variable that contains the operator endpoint of a gateway on another machine,
  /// as in the gateway's `--operator-listen`: `tcp://HOST:PORT?curve=KEY`.
  private static let endpointVariable = "CARILLON_OPERATOR"

  /// Returns the keys that this machine presents to gateways. `carillon keys init` creates these
  /// keys.
  private static func keys(_ environment: [String: String]) throws -> CurveKeyPair? {
    if let directory = environment["CARILLON_KEY_DIR"] {
      guard let keys = try KeyDirectory(directory).keys() else {
        throw KeyError.noKeys(directory: directory)
      }
      return keys
    }
    for directory in DataDirectory.candidates(in: environment) {
      if let keys = try KeyDirectory(directory + "/keys").keys() { return keys }
    }
    return nil
  }
}
