import Foundation
public import Testing

/// A trait of tests that compute for longer than about half a second without a suspension.
///
/// Swift Testing runs all tests of a process on the global pool, which has one thread per core. A
/// long computation keeps a thread of the pool for its whole length. All other tests of the process
/// then wait, and the requests of a test to a service exceed their deadlines. So a test with this
/// trait runs on threads of its own.
public struct LongComputationTrait: TestTrait, SuiteTrait, TestScoping {
  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(ComputingThreads.shared) { try await function() }
  }
}

extension Trait where Self == LongComputationTrait {
  /// Runs the test on threads outside the global pool, because the test computes for a long time.
  public static var longComputation: Self { LongComputationTrait() }
}

/// The threads of long computations: as many as the machine has cores.
private final class ComputingThreads: TaskExecutor {
  static let shared = ComputingThreads()

  private let queue = OperationQueue()

  private init() {
    queue.name = "long computations"
    queue.maxConcurrentOperationCount = ProcessInfo.processInfo.activeProcessorCount
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
