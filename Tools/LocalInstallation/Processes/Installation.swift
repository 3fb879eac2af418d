internal import Glibc
internal import Output

/// The services of one machine. The actor runs the services as child processes, and restarts a
/// service that dies or hangs.
package actor Installation {
  /// A closure that receives the supervisor's own lines and the lines of the services.
  package typealias Log = @Sendable (_ service: String, _ line: String) -> Void

  package nonisolated let settings: InstallationSettings
  package nonisolated let services: [LaunchedService]
  private let spawner: ProcessSpawner
  private let environments: [String: [String: String]]
  private let silence: Duration
  private let patience: Int
  private let log: Log
  private var children: [String: ChildProcess] = [:]
  /// The services that have been ready at least once. The settings of these services are therefore
  /// valid.
  private var proven: Set<String> = []
  /// The time of the last readiness response of a service's current child.
  private var lastAnswers: [String: ContinuousClock.Instant] = [:]
  private var isStopping = false
  /// The reason why the installation no longer restarts a service.
  private var failure: CommandFailure?

  /// - Parameters:
  ///   - environments: By service name, each environment that differs from the settings'
  ///     environment.
  ///   - silence: The time without a readiness response after which the supervisor kills a service,
  ///     because the service seems to hang.
  ///   - patience: The number of consecutive exits with a configuration error after which the
  ///     supervisor no longer restarts a service that was once ready. The cause of such an exit can
  ///     be temporary, for example if another process uses the service's port for a moment.
  ///   - log: Called with every line, on any thread.
  package init(
    _ settings: InstallationSettings, services: [LaunchedService] = LaunchedService.all,
    environments: [String: [String: String]] = [:], silence: Duration = .seconds(15),
    patience: Int = 10, spawner: ProcessSpawner, log: @escaping Log
  ) {
    self.settings = settings
    self.services = services
    self.environments = environments
    self.silence = silence
    self.patience = patience
    self.spawner = spawner
    self.log = log
  }

  /// Runs the services while `body` runs, and then stops them gracefully.
  ///
  /// - Throws: The errors of `body`. ``CommandFailure`` with the reason if a service cannot start
  ///   or needs the operator. The installation then cancels `body`.
  package func run<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await withThrowingTaskGroup(of: Result?.self) { tasks in
      for service in services {
        tasks.addTask {
          try await self.keepRunning(service)
          return nil
        }
      }
      tasks.addTask { try await body() }
      do {
        while let ended = try await tasks.next() {
          guard let result = ended else { continue }
          await stop()
          tasks.cancelAll()
          return result
        }
        throw CancellationError()
      } catch {
        await stop()
        tasks.cancelAll()
        throw error
      }
    }
  }

  /// Returns the current process of a service.
  package func child(of service: String) -> ChildProcess? { children[service] }

  /// Waits until every service is ready.
  ///
  /// - Throws: ``CommandFailure`` with the last response if a service is not ready in time.
  package nonisolated func waitUntilReady(within limit: Duration) async throws {
    let deadline = ContinuousClock.now + limit
    for service in services {
      let client = HTTPClient(.unixSocket(path: service.healthSocket(in: settings)))
      var answer = "it does not answer"
      while true {
        do {
          let response = try await client.send(HTTPRequest(.get, "/readyz"), within: .seconds(1))
          if response.status == 200, await isAnsweredByChild(service) {
            await note(service, isReady: true)
            break
          }
          answer = response.status == 200 ? "another process answers for it" : response.text
        } catch {
          answer = "\(error)"
        }
        if let failure = await failure { throw failure }
        guard ContinuousClock.now < deadline else {
          throw CommandFailure.unavailable("\(service.instance) is not ready: \(answer)")
        }
        // The installation can only poll readiness.
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  /// Returns whether the service's child, or a process of the child's group, listens on the
  /// service's health socket.
  ///
  /// The kernel names the listener. The process id in the registry does not identify the listener,
  /// because this id is valid only in the PID namespace of the process that registered.
  private func isAnsweredByChild(_ service: LaunchedService) -> Bool {
    guard let child = children[service.name],
      case .process(let listener) = ListeningProcess(at: service.healthSocket(in: settings))
    else { return false }
    return getpgid(listener) == child.processID
  }

  // MARK: - Restarting services

  private func keepRunning(_ service: LaunchedService) async throws {
    var backoff = RestartBackoff()
    var failures = 0
    while !isStopping {
      let began = ContinuousClock.now
      let words = LastOutputLines()
      let child = try await start(service, words)
      children[service.name] = child
      lastAnswers[service.name] = nil
      if isStopping { child.signal(SIGTERM) }
      let watching = Task { await watch(service, child) }
      let exit = await child.exit
      watching.cancel()
      children[service.name] = nil
      guard !isStopping else { return }
      // A service that answered had its resources, such as a port. So the service can probably get
      // these resources again.
      failures = exit.needsOperator && lastAnswers[service.name] == nil ? failures + 1 : 0
      guard !exit.needsOperator || proven.contains(service.name), failures < patience else {
        let reason = words.reason ?? "it printed no reason."
        throw giveUp(
          "\(service.instance) cannot run (\(exit)): \(reason)",
          exit: exit.isInUse ? .inUse : .configuration)
      }
      let pause = backoff.pause(afterLivingFor: ContinuousClock.now - began)
      log(service.name, "\(service.instance) ended with \(exit); starting it again after \(pause)")
      try? await Task.sleep(for: pause)
    }
  }

  /// Kills a service that has answered at least once and has then been silent for too long. Runs
  /// until the task's cancellation.
  ///
  /// Any response of the child counts as an answer, even if the response says that the child is not
  /// ready.
  private func watch(_ service: LaunchedService, _ child: ChildProcess) async {
    let client = HTTPClient(.unixSocket(path: service.healthSocket(in: settings)))
    while (try? await Task.sleep(for: min(.seconds(1), silence / 5))) != nil {
      let answer = try? await client.send(HTTPRequest(.get, "/readyz"), within: silence / 3)
      guard !Task.isCancelled else { return }
      if let answer, isAnsweredByChild(service) {
        note(service, isReady: answer.status == 200)
      }
      guard let last = lastAnswers[service.name], last + silence < .now else { continue }
      log(
        service.name,
        "\(service.instance) has not answered health checks for \(silence); killing it")
      return child.signal(SIGKILL)
    }
  }

  private func note(_ service: LaunchedService, isReady: Bool) {
    lastAnswers[service.name] = .now
    if isReady { proven.insert(service.name) }
  }

  private func giveUp(
    _ why: String, exit: CommandFailure.Exit = .configuration
  ) -> CommandFailure {
    let failure = CommandFailure(
      code: CommandFailure.precondition(why).code, message: why, exit: exit)
    self.failure = failure
    return failure
  }

  private func start(
    _ service: LaunchedService, _ words: LastOutputLines
  ) async throws -> ChildProcess {
    let executable = service.executable(in: settings.executables)
    guard unsafe access(executable, X_OK) == 0 else {
      throw giveUp("\(executable) is missing; build or install it there.")
    }
    let environment = environments[service.name] ?? settings.environment
    let command = ChildCommand(
      executable, service.arguments(in: settings, environment: environment),
      environment: environment)
    let log = log
    return try await spawner.start(command) { line in
      words.add(line.text)
      log(service.name, line.text)
    }
  }

  // MARK: - Stopping services

  /// Stops the services in reverse order, and kills any service that exceeds its time limit.
  private func stop() async {
    isStopping = true
    for service in services.reversed() {
      guard let child = children[service.name] else { continue }
      child.signal(SIGTERM)
      // A service notices the end of its drain time slightly late.
      let limit = Duration.seconds(settings.drainSeconds + 3)
      await withTaskGroup { tasks in
        tasks.addTask { _ = await child.exit }
        tasks.addTask {
          do {
            try await Task.sleep(for: limit)
            child.signal(SIGKILL)
          } catch {
            // The installation cancelled this task, because the service has ended.
          }
        }
        await tasks.next()
        tasks.cancelAll()
      }
    }
  }

  /// Kills every service immediately.
  package func kill() {
    isStopping = true
    for child in children.values { child.signal(SIGKILL) }
  }
}
