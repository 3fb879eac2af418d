internal import Glibc

/// The identity of a host.
///
/// Processes with the same host name share a runtime directory, and reach each other through the
/// Unix sockets in this directory.
public enum HostIdentity {
  /// Returns the host name of a runtime directory: sixteen hexadecimal digits. The digits are the
  /// same for all containers that mount the directory at this path. The digits change when the
  /// machine restarts.
  ///
  /// Reads a file, so call this function while the process starts.
  public static func of(runtimeDirectory path: String) -> String {
    var status = stat()
    _ = unsafe stat(path, &status)
    let boot = (try? RegistryFileOperations.read("/proc/sys/kernel/random/boot_id")) ?? ""
    // The hash is FNV-1a, because names must differ but need not be secret.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in "\(boot) \(status.st_dev) \(status.st_ino) \(path)".utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
