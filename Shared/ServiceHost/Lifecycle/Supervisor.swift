internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

/// A supervisor that runs services. The supervisor stops all services after a signal, or after one
/// service ends.
///
/// Services stop one after another in reverse order, within one common deadline.
struct Supervisor {
  /// The services. Later services depend on earlier services. The services stop in reverse order.
  let services: [any Service]
  let health: HealthChecks
  let logger: Logger
  let drainDeadline: Duration
  /// The time within which cancelled services must stop.
  var timeout: Duration = .seconds(2)
  var clock: any Clock<Duration> = ContinuousClock()
  /// Ends the process immediately, with an exit status.
  let leave: @Sendable (Int32) -> Void

  /// Runs the services, and returns when all of them have stopped because of a signal.
  ///
  /// - Parameter signals: SIGTERM and SIGINT as they arrive.
  /// - Throws: The error that ended a service, or ``HostError``.
  func run(until signals: some AsyncSequence<UnixSignal, Never> & Sendable) async throws {
    // Only signals can fill the buffer. The buffer drops the oldest signals, because the newest
    // signals have the same effect.
    let (events, report) = AsyncStream.makeStream(
      of: ProcessShutdown.Event.self, bufferingPolicy: .bufferingNewest(64))
    let (cut, cutter) = AsyncStream.makeStream(of: Never.self)
    let group = serviceGroup { report.yield($0) }
    let lifecycle = await withTaskGroup { tasks in
      tasks.addTask {
        for await signal in signals { report.yield(.signal(signal.rawValue)) }
      }
      tasks.addTask {
        report.yield(.servicesStopped(await Self.run(group, until: cut)))
      }
      var lifecycle = ProcessShutdown(drainDeadline: drainDeadline)
      loop: for await event in events {
        let action = lifecycle.handle(event)
        log(event, action)
        switch action {
        case .none: continue
        case .drain:
          health.beginDrain()
          tasks.addTask { await watchDeadline { report.yield($0) } }
          await group.triggerGracefulShutdown()
        case .cancelServices: cutter.finish()
        case .leave(let status): leave(status)
        case .finish: break loop
        }
      }
      tasks.cancelAll()
      return lifecycle
    }
    if let failure = lifecycle.failure { throw failure }
  }

  private func serviceGroup(
    report: @escaping @Sendable (ProcessShutdown.Event) -> Void
  ) -> ServiceGroup {
    let configurations = services.map { service in
      let name = "\(type(of: service))"
      return ServiceGroupConfiguration.ServiceConfiguration(
        service: SupervisedService(service: service, name: name, report: report),
        successTerminationBehavior: .gracefullyShutdownGroup,
        failureTerminationBehavior: .gracefullyShutdownGroup, serviceName: name)
    }
    return ServiceGroup(
      configuration: ServiceGroupConfiguration(services: configurations, logger: logger))
  }

  /// Runs the group, and cancels the group when `cut` ends.
  private static func run(
    _ group: ServiceGroup, until cut: AsyncStream<Never>
  ) async -> (any Error)? {
    await withTaskGroup(of: (any Error)?.self) { tasks in
      tasks.addTask {
        do {
          try await group.run()
          return nil
        } catch {
          return error
        }
      }
      tasks.addTask {
        for await _ in cut {}
        return nil
      }
      var failure: (any Error)?
      for await error in tasks {
        tasks.cancelAll()
        if let error { failure = error }
      }
      return failure
    }
  }

  private func watchDeadline(report: (ProcessShutdown.Event) -> Void) async {
    do {
      try await clock.sleep(for: drainDeadline)
      report(.deadlinePassed)
      try await clock.sleep(for: timeout)
      report(.timeoutEnded)
    } catch {
      // The services stopped in time, so the supervisor cancelled this task.
    }
  }

  private func log(_ event: ProcessShutdown.Event, _ action: ProcessShutdown.Action) {
    switch (event, action) {
    case (.signal(let number), .drain):
      logger.notice(
        "Draining",
        metadata: [LogMetadataKey.signal: "\(number)", LogMetadataKey.duration: "\(drainDeadline)"])
    case (.signal(let number), .leave):
      logger.warning(
        "Stopping at once because of a second signal",
        metadata: [LogMetadataKey.signal: "\(number)"])
    case (.serviceEnded(let name), .drain):
      logger.error(
        "A service ended unexpectedly; draining", metadata: [LogMetadataKey.service: "\(name)"])
    case (.serviceFailed(let name, let error), .drain),
      (.serviceFailed(let name, let error), .none):
      logger.error(
        "A service failed",
        metadata: [LogMetadataKey.service: "\(name)", LogMetadataKey.error: "\(error)"])
    case (.deadlinePassed, .cancelServices):
      logger.error(
        "Cancelling services that did not stop in time",
        metadata: [LogMetadataKey.duration: "\(drainDeadline)"])
    case (.timeoutEnded, .leave):
      logger.error(
        "Abandoning services that ignored cancellation",
        metadata: [LogMetadataKey.duration: "\(timeout)"])
    default: break
    }
  }
}
