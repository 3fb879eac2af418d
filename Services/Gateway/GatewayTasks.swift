import Bus

/// The tasks of one gateway: at most one for each ``GatewayTaskKey``.
///
/// The gateway's components are not actors, so their tasks run on the actor of the gateway. Only
/// the gateway's socket thread uses this class.
final class GatewayTasks {
  private unowned let gateway: GatewayService
  private var tasks = KeyedTasks<GatewayTaskKey>()
  private var isClosed = false

  init(of gateway: GatewayService) { self.gateway = gateway }

  /// Starts a task. Cancels and replaces the previous task that has the same `work`.
  func start(
    _ work: GatewayTaskKey, _ body: @escaping @Sendable (isolated GatewayService) async -> Void
  ) {
    guard !isClosed else { return }
    let (number, gateway) = (tasks.reserve(work), gateway)
    let task = Task(executorPreference: gateway.thread) {
      await gateway.perform(work, number, body)
    }
    tasks.keep(task, as: number)
  }

  /// Cancels a task that the gateway no longer needs.
  func cancel(_ work: GatewayTaskKey) { tasks.cancel(work) }

  /// Removes a task that has ended. Each task calls this method at its end.
  func end(_ work: GatewayTaskKey, _ number: UInt64) { tasks.end(work, number) }

  /// Cancels all tasks. Later calls of `start` have no effect.
  ///
  /// - Returns: The tasks that have not ended yet, for the gateway to await.
  func close() -> [Task<Void, Never>] {
    isClosed = true
    return tasks.cancelAll()
  }
}
