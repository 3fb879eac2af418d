internal import ArgumentParser
internal import Foundation

/// Which installation a command is about.
struct RuntimeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The installation's directory of Unix sockets.",
      discussion: """
        Default: $CARILLON_RUNTIME_DIR, else the first of /run/carillon, $XDG_RUNTIME_DIR/carillon \
        and /tmp/carillon-UID in which a gateway runs.
        """),
    completion: .directory)
  var runtimeDir: String?

  /// Where to look for it.
  var places: [String] {
    RuntimeDirectory.places(
      requested: runtimeDir, environment: ProcessInfo.processInfo.environment)
  }

  /// Connects to a gateway's operator endpoint for the length of `body`.
  ///
  /// - Throws: ``CommandFailure`` when no gateway runs there, and what `body` throws.
  func withOperator<Result>(
    _ body: (OperatorConnection) async throws -> Result
  ) async throws -> Result {
    try await OperatorConnection.with(gatewayIn: places, body)
  }
}
