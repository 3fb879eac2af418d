internal import ArgumentParser
internal import LocalInstallation
internal import Output
internal import Wire

/// The options of a command that calls a gateway as an operator and prints the response.
struct OperatorOptions: ParsableArguments {
  @OptionGroup var runtime: InstallationSelectionOptions
  @OptionGroup var output: OutputOptions

  /// Calls one method, and prints the response as one record.
  ///
  /// - Parameter record: Called after the end of the connection to the gateway.
  func show<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request,
    within limit: Duration = .seconds(5), as record: (Reply) throws -> OutputRecord
  ) async throws {
    try await output.reportingFailure {
      let reply = try await runtime.withOperator {
        try await $0.call(method, request, within: limit)
      }
      output.print(try record(reply))
    }
  }

  /// Makes calls to a gateway, and prints the records that the calls return.
  func list(_ ask: (OperatorConnection) async throws -> [OutputRecord]) async throws {
    try await output.reportingFailure {
      output.print(try await runtime.withOperator(ask))
    }
  }
}
