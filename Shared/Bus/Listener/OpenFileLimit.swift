internal import Glibc

/// The limit on the number of open files of this process.
public enum OpenFileLimit {
  /// The soft `RLIMIT_NOFILE` of getrlimit(2).
  public static var limit: Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      return 1_024
    }
    return Int(clamping: limit.rlim_cur)
  }
}
