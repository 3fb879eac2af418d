internal import Dispatch

/// Runs blocking work on threads that run no tasks.
package enum BlockingWork {
  package static func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async
    -> Result
  {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: work()) }
    }
  }
}
