internal import Glibc

/// The PID namespace of this process (pid_namespaces(7)).
///
/// A process id is valid only in its own namespace. The processes of a container share a namespace,
/// and the containers of a machine usually have different namespaces.
public enum ProcessNamespace {
  /// The namespace of this process, for example `pid:[4026531836]`; empty if unknown.
  public static let own = read()

  /// The maximum number of bytes of ``own``.
  static let maximumBytes = 48

  private static func read() -> String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: maximumBytes) { link in
      guard let start = link.baseAddress else { return "" }
      let count = unsafe readlink("/proc/self/ns/pid", start, link.count)
      return unsafe String(
        decoding: link.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
