internal import ServiceLifecycle

/// A wrapper that runs a service, and immediately reports when this service ends or fails.
struct SupervisedService: Service {
  let service: any Service
  let name: String
  let report: @Sendable (ProcessShutdown.Event) -> Void

  func run() async throws {
    do {
      try await service.run()
    } catch {
      report(.serviceFailed(name: name, error: error))
      throw error
    }
    report(.serviceEnded(name: name))
  }
}
