internal import ServiceLifecycle

/// A service that reports its end immediately.
struct WatchedService: Service {
  let service: any Service
  let name: String
  let report: @Sendable (Lifecycle.Event) -> Void

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
