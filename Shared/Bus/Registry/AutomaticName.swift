internal import Glibc

/// Names of instances that nobody chose: those of containers, of which there may be any number.
public enum AutomaticName {
  /// What is given for the name where one is to be made.
  public static let word = "auto"

  /// The end of the name of an instance that is this process: eight hexadecimal digits, which are
  /// others in each process of a machine and in each container.
  ///
  /// - Returns: `nil` if there is no such process.
  public static func suffix(of processID: Int32) -> String? {
    // proc(5): the text behind the name in parentheses, and of that the 20th field.
    guard let text = try? RegistryFile.read("/proc/\(processID)/stat"),
      let end = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[end...].split(separator: " ")
    guard fields.count > 20 else { return nil }
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in "\(hostName) \(processID) \(fields[20])".utf8 {
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
