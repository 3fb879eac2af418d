internal import Glibc
internal import ZeroMQ

/// A generator of instance names. With generated names, several containers can use the same
/// setting.
public enum InstanceNameGenerator {
  /// If the setting for the instance name has this value, the process generates the name.
  public static let word = "auto"

  /// Returns the suffix of a generated name: eight hexadecimal digits. The digits differ between
  /// the processes of a machine and between containers, even if the containers have the machine's
  /// host name and start in the same moment.
  ///
  /// The process must be in the PID namespace of the caller.
  ///
  /// - Returns: The suffix, or `nil` if no process has this id.
  public static func suffix(of processID: Int32) -> String? {
    // The 20th field after the name in parentheses is the start time of the process (proc(5)).
    guard let text = try? RegistryFileOperations.read("/proc/\(processID)/stat"),
      let end = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[end...].split(separator: " ")
    guard fields.count > 20 else { return nil }
    return suffix(
      ofProcess: processID, startedAt: String(fields[20]), on: hostName, in: ProcessNamespace.own)
  }

  /// Returns the suffix for a process that has this id in its PID namespace.
  ///
  /// - Parameters:
  ///   - start: The start time of the process as text.
  ///   - host: The name of the host. Containers with the host's network share this name.
  ///   - namespace: The PID namespace, which differs between the containers of a machine.
  static func suffix(
    ofProcess processID: Int32, startedAt start: String, on host: String, in namespace: String
  ) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in "\(host) \(namespace) \(processID) \(start)".utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    let digits = String(UInt32(truncatingIfNeeded: hash ^ hash >> 32), radix: 16)
    return String(repeating: "0", count: 8 - digits.utf8.count) + digits
  }

  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
