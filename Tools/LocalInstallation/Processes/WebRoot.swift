internal import Foundation

/// Finds the folder with the files of the web page.
package enum WebRoot {
  /// Returns the folder of the web page that belongs to the executables; `nil` if there is no such
  /// folder.
  ///
  /// The folder is part of the container image, of the installation, or of the sources of the
  /// executables.
  package static func find(beside executables: String) -> String? {
    let places = ["../share/carillon/web", "../../Clients/Web", "../../../Clients/Web"]
    return places.lazy
      .map { URL(filePath: executables).appending(path: $0).standardizedFileURL.path }
      .first { FileManager.default.fileExists(atPath: $0 + "/index.html") }
  }
}
