internal import ArgumentParser
internal import LocalInstallation
internal import Output
internal import Wire

/// The flags of a command that asks a gateway as an operator, and prints what it answers.
struct OperatorOptions: ParsableArguments {
  @OptionGroup var runtime: RuntimeOptions
  @OptionGroup var output: OutputOptions

  /// Calls one method, and prints what it answered as one thing.
  ///
  /// - Parameter record: Called when the gateway is not needed any more.
  func show<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request,
    within limit: Duration = .seconds(5), as record: (Reply) throws -> Record
  ) async throws {
    try await output.reportingFailure {
      let reply = try await runtime.withOperator {
        try await $0.call(method, request, within: limit)
      }
      output.print(try record(reply))
    }
  }

  /// Asks for several things, and prints each.
  func list(_ ask: (OperatorConnection) async throws -> [Record]) async throws {
    try await output.reportingFailure {
      output.print(try await runtime.withOperator(ask))
    }
  }
}
