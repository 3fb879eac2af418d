internal import Foundation

/// Finds the Python interpreter that has the package `carillon`.
package enum PythonInterpreter {
  /// The environment variable that names the interpreter.
  package static let variable = "CARILLON_PYTHON"

  /// Finds the interpreter.
  ///
  /// The result is `$CARILLON_PYTHON` if the environment contains this variable. Otherwise, the
  /// result is the first `.venv/bin/python` in the given directories or their parents. If no such
  /// file exists, the result is `python3` from `PATH`.
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
