import Bus
import Testing

@Suite(.timeLimit(.minutes(5))) struct KeyedTasksTests {
  /// Returns a task that ends at its cancellation.
  private static func patient() -> Task<Void, Never> {
    Task { try? await Task.sleep(for: .seconds(60)) }
  }

  @Test func `a new task under a used key cancels the older task`() async {
    var tasks = KeyedTasks<String>()
    let older = Self.patient()
    tasks.keep(older, as: tasks.reserve("a"))
    let newer = Self.patient()
    tasks.keep(newer, as: tasks.reserve("a"))
    #expect(older.isCancelled)
    #expect(!newer.isCancelled)
    #expect(tasks.count == 2)
    newer.cancel()
    await newer.value
  }

  @Test func `an ended task is forgotten, and the next task under the same key is kept`() {
    var tasks = KeyedTasks<String>()
    let first = tasks.reserve("a")
    tasks.keep(Self.patient(), as: first)
    let second = tasks.reserve("a")
    tasks.keep(Self.patient(), as: second)
    tasks.end("a", first)
    #expect(tasks.contains("a"))
    #expect(tasks.count == 1)
    tasks.end("a", second)
    #expect(!tasks.contains("a"))
    #expect(tasks.count == 0)
  }

  @Test func `the cancellation of all tasks also returns tasks that were cancelled earlier`() async
  {
    var tasks = KeyedTasks<Int>()
    for key in 0..<3 { tasks.keep(Self.patient(), as: tasks.reserve(key)) }
    tasks.cancel(0)
    let left = tasks.cancelAll()
    #expect(left.count == 3)
    for task in left { await task.value }
    #expect(!tasks.contains(1))
  }
}
