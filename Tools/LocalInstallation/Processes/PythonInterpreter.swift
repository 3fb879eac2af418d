internal import Foundation

/// Finds the Python in which the package `carillon` is installed.
package enum PythonInterpreter {
  /// The variable that names it.
  package static let variable = "CARILLON_PYTHON"

  /// `$CARILLON_PYTHON`; else `.venv/bin/python` in the package's folder, which is looked for
  /// upwards from the executable's directory and then the current one; else `python3` of `PATH`.
  package static func find(environment: [String: String], from directories: [String]) -> String {
    if let named = environment[variable], !named.isEmpty { return named }
    for directory in directories {
      var folder = directory
      while !folder.isEmpty, folder != "/" {
        let candidate = "\(folder)/.venv/bin/python"
        if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
        folder = (folder as NSString).deletingLastPathComponent
      }
    }
    return "python3"
  }
}
