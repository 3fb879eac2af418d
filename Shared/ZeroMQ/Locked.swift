internal import Glibc

/// A value that one thread at a time may access.
///
/// The contended path of `Synchronization.Mutex` is in a library that ThreadSanitizer does not see.
/// So ThreadSanitizer would falsely report races. ThreadSanitizer does see pthread_mutex_lock(3).
@safe final class Locked<Value: Sendable>: @unchecked Sendable {
  // Sendable because only code that holds the mutex accesses `value`.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  init(_ value: Value) {
    self.value = value
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    let code = unsafe pthread_mutex_init(mutex, nil)
    precondition(code == 0, "No mutex: errno \(code).")
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Runs `body` exclusively. `body` must not call `withLock` again.
  func withLock<R>(_ body: (inout Value) -> R) -> R {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body(&value)
  }
}
