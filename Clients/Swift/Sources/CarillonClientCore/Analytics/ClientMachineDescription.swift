import Foundation

/// The machine and its operating system, as events describe them.
struct ClientMachineDescription: Sendable {
  let manufacturer: String
  let model: String
  let osName = "Linux"
  let osVersion: String

  /// The description from the firmware tables and the system's release file.
  static let current = ClientMachineDescription(
    manufacturer: firmwareText("sys_vendor") ?? "Unknown",
    model: firmwareText("product_name") ?? "Unknown",
    osVersion: ProcessInfo.processInfo.operatingSystemVersionString)

  private static func firmwareText(_ name: String) -> String? {
    let file = "/sys/class/dmi/id/\(name)"
    let text = try? String(contentsOfFile: file, encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    return text?.isEmpty == false ? text : nil
  }
}
