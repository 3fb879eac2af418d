internal import Bus
internal import Glibc
internal import Output

/// The services of one machine, run as child processes and started again when they die, or hang.
package actor Installation {
  /// What it says of itself, beside what the services say.
  package typealias Log = @Sendable (_ service: String, _ line: String) -> Void

  package nonisolated let settings: InstallationSettings
  package nonisolated let services: [ServiceDescription]
  private let spawner: ProcessSpawner
  private let environments: [String: [String: String]]
  private let silence: Duration
  private let patience: Int
  private let log: Log
  private var children: [String: ChildProcess] = [:]
  /// Services that have been ready: their settings are right.
  private var proven: Set<String> = []
  /// When the child of a service last said whether it is ready, if it has.
  private var lastAnswers: [String: ContinuousClock.Instant] = [:]
  private var isStopping = false
  /// Why a service was given up.
  private var failure: CommandFailure?

  /// - Parameters:
  ///   - environments: Of services that are to have another one than the settings name.
  ///   - silence: A service that says nothing of its readiness for so long hangs, and is killed.
  ///   - patience: A service that has been ready may end for an operator's reason so often, one
  ///     time after the other: a port that it had may be another's for a moment.
  ///   - log: Called with every line a service writes, on any thread.
  package init(
    _ settings: InstallationSettings, services: [ServiceDescription] = ServiceDescription.all,
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

  /// Runs the services for the length of `body`, and then stops them gracefully.
  ///
  /// - Throws: What `body` throws; ``CommandFailure`` when a service cannot be started or says that
  ///   an operator must put something right, with its reason, and then `body` is cancelled.
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

  /// The process a service runs in now.
  package func child(of service: String) -> ChildProcess? { children[service] }

  /// Returns when every service says that it is ready.
  ///
  /// - Throws: ``CommandFailure`` when one is not within the time, with what it said last.
  package nonisolated func waitUntilReady(within limit: Duration) async throws {
    let deadline = ContinuousClock.now + limit
    for service in services {
      let client = HTTPClient(.unixSocket(path: service.healthSocket(in: settings)))
      var answer = "it does not answer"
      while true {
        do {
          let response = try await client.send(HTTPRequest(.get, "/readyz"), within: .seconds(1))
          if response.status == 200, await isOurs(service) {
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
        // Readiness can only be asked for.
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  /// Whether the process that has the service's name is our child. Services that do not register
  /// are taken for ours.
  private func isOurs(_ service: ServiceDescription) -> Bool {
    let registry = RuntimeDirectoryRegistry(runtimeDirectory: settings.runtimeDirectory)
    let holder = (try? registry.instances(of: service.name))?
      .first { $0.instance == service.instance && $0.isLive }
    guard let holder else { return true }
    return holder.processID == children[service.name]?.processID
  }

  // MARK: - Keeping them running

  private func keepRunning(_ service: ServiceDescription) async throws {
    var backoff = RestartBackoff()
    var failures = 0
    while !isStopping {
      let began = ContinuousClock.now
      let words = FailureOutput()
      let child = try await start(service, words)
      children[service.name] = child
      lastAnswers[service.name] = nil
      if isStopping { child.signal(SIGTERM) }
      let watching = Task { await watch(service, child) }
      let exit = await child.exit
      watching.cancel()
      children[service.name] = nil
      guard !isStopping else { return }
      // What it could have before, a port for example, it can have again.
      failures = exit.needsOperator && lastAnswers[service.name] == nil ? failures + 1 : 0
      guard !exit.needsOperator || proven.contains(service.name), failures < patience else {
        let reason = words.reason ?? "it does not say why."
        throw giveUp("\(service.instance) cannot run (\(exit)): \(reason)")
      }
      let pause = backoff.pause(afterLivingFor: ContinuousClock.now - began)
      log(service.name, "\(service.instance) ended with \(exit); starting it again after \(pause)")
      try? await Task.sleep(for: pause)
    }
  }

  /// Kills a service that has answered once and then says nothing for too long, until cancelled. It
  /// does not matter what it says.
  private func watch(_ service: ServiceDescription, _ child: ChildProcess) async {
    let client = HTTPClient(.unixSocket(path: service.healthSocket(in: settings)))
    while (try? await Task.sleep(for: min(.seconds(1), silence / 5))) != nil {
      let answer = try? await client.send(HTTPRequest(.get, "/readyz"), within: silence / 3)
      guard !Task.isCancelled else { return }
      if let answer { note(service, isReady: answer.status == 200) }
      guard let last = lastAnswers[service.name], last + silence < .now else { continue }
      log(service.name, "\(service.instance) has said nothing for \(silence); killing it")
      return child.signal(SIGKILL)
    }
  }

  private func note(_ service: ServiceDescription, isReady: Bool) {
    lastAnswers[service.name] = .now
    if isReady { proven.insert(service.name) }
  }

  private func giveUp(_ why: String) -> CommandFailure {
    let failure = CommandFailure(
      code: CommandFailure.precondition(why).code, message: why, exit: .configuration)
    self.failure = failure
    return failure
  }

  private func start(
    _ service: ServiceDescription, _ words: FailureOutput
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

  // MARK: - Stopping them

  /// Stops the last service first; kills what has not ended when its time is over.
  private func stop() async {
    isStopping = true
    for service in services.reversed() {
      guard let child = children[service.name] else { continue }
      child.signal(SIGTERM)
      // Services give themselves a little more than their drain time, to notice that it is over.
      let limit = Duration.seconds(settings.drainSeconds + 3)
      await withTaskGroup { tasks in
        tasks.addTask { _ = await child.exit }
        tasks.addTask {
          do {
            try await Task.sleep(for: limit)
            child.signal(SIGKILL)
          } catch {
            // Cancelled: it has ended.
          }
        }
        await tasks.next()
        tasks.cancelAll()
      }
    }
  }

  /// Ends every service at once.
  package func kill() {
    isStopping = true
    for child in children.values { child.signal(SIGKILL) }
  }
}
