internal import Foundation
internal import LocalInstallation

/// A process of this user on this machine, as proc(5) shows it.
struct ProcfsProcess: Hashable, Sendable {
  /// The id in the PID namespace of this command.
  let id: Int32

  /// Returns the first open file whose path has a suffix. The system adds a space and `(deleted)`
  /// to the path of a deleted file.
  func openFile(endingIn ending: String) -> String? {
    let folder = "/proc/\(id)/fd"
    let files = FileManager.default
    return ((try? files.contentsOfDirectory(atPath: folder)) ?? []).lazy
      .compactMap { try? files.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
      .first { $0.hasSuffix(ending) }
  }

  /// Returns the value of a flag from the process's command line or environment.
  func value(ofFlag name: String) -> String? {
    let arguments = strings(in: "cmdline")
    var value = arguments.last { $0.hasPrefix("--\(name)=") }.map {
      String($0.dropFirst("--\(name)=".count))
    }
    if let index = arguments.lastIndex(of: "--\(name)"), index + 1 < arguments.count {
      value = arguments[index + 1]
    }
    let variable = ServiceEnvironment.prefix + name.uppercased().replacing("-", with: "_") + "="
    value =
      value
      ?? strings(in: "environ").first { $0.hasPrefix(variable) }.map {
        String($0.dropFirst(variable.count))
      }
    return value?.isEmpty == true ? nil : value
  }

  /// Returns the path in a flag, made absolute.
  func path(ofFlag name: String) -> String? {
    guard let value = value(ofFlag: name) else { return nil }
    guard !value.hasPrefix("/") else { return value }
    let base = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(id)/cwd")
    return base.map { "\($0)/\(value)" }
  }

  /// Returns the NUL-terminated strings in a file of the process.
  private func strings(in file: String) -> [String] {
    let bytes = FileManager.default.contents(atPath: "/proc/\(id)/\(file)") ?? Data()
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }
}
