internal import Glibc

/// The system's limits for this process, raised as far as possible.
enum ProcessLimits {
  /// Raises the soft limit of open files to the hard limit (`getrlimit(2)`).
  ///
  /// Each client needs a descriptor. With the usual soft limit of 1024, the process would reject
  /// clients.
  static func raiseOpenFiles() {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
      limit.rlim_cur < limit.rlim_max
    else { return }
    limit.rlim_cur = limit.rlim_max
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
