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
    let gateway = try RunningGateway.find(in: places)
    let connection = OperatorConnection()
    try await connection.open(gateway.operatorEndpoint)
    do {
      let result = try await body(connection)
      await connection.close()
      return result
    } catch {
      await connection.close()
      throw error
    }
  }
}
