internal import Foundation

/// Where the files of the page are.
package enum WebRoot {
  /// The folder that belongs to executables: of an image or an installation, or of the sources that
  /// they were built from. `nil`: there is none.
  package static func find(beside executables: String) -> String? {
    let places = ["../share/carillon/web", "../../Clients/Web", "../../../Clients/Web"]
    return places.lazy
      .map { URL(filePath: executables).appending(path: $0).standardizedFileURL.path }
      .first { FileManager.default.fileExists(atPath: $0 + "/index.html") }
  }
}
