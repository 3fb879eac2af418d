package import ArgumentParser
internal import Foundation

/// Which installation a command is about.
package struct RuntimeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The installation's directory of Unix sockets.",
      discussion: """
        Default: $CARILLON_RUNTIME_DIR, else the first of /run/carillon, $XDG_RUNTIME_DIR/carillon \
        and /tmp/carillon-UID in which a gateway runs.
        """),
    completion: .directory)
  package var runtimeDir: String?

  package init() {}

  /// Where to look for it.
  package var places: [String] {
    RuntimeDirectory.places(
      requested: runtimeDir, environment: ProcessInfo.processInfo.environment)
  }

  /// Connects to a gateway's operator endpoint for the length of `body`.
  ///
  /// - Throws: ``CommandFailure`` when no gateway runs there, and what `body` throws.
  package func withOperator<Result>(
    _ body: (OperatorConnection) async throws -> Result
  ) async throws -> Result {
    try await OperatorConnection.with(gatewayIn: places, body)
  }
}
