internal import Bus
internal import LocalInstallation
internal import Wire

extension Doctor {
  /// Checks which engines transcription can use.
  func engines() async -> Finding {
    guard let gateway = try? RunningGateway.find(in: [directory]) else {
      return Finding(.engines, directory, .skipped("no gateway runs"))
    }
    let connection = OperatorConnection()
    let outcome: Finding.Outcome
    do {
      try await connection.open(gateway.operatorEndpoint)
      let engines = try await connection.call(
        V1.OperatorMethods.listTranscriptionEngines, V1.ListEnginesRequest()
      ).engines
      outcome =
        engines.isEmpty
        ? .skipped(
          "no engine is attached: a started transcription waits for an engine, and then fails")
        : .ok(engines.map { Self.words(for: $0) }.joined(separator: ", "))
    } catch {
      outcome = .skipped("the gateway does not answer; see the other findings")
    }
    await connection.close()
    return Finding(.engines, gateway.instance, outcome)
  }

  private static func words(for engine: V1.AttachedEngine) -> String {
    let languages = engine.capabilities?.languages.map(\.languageCode) ?? []
    return "\(engine.engineID) (\(languages.joined(separator: " ")))"
  }
}
