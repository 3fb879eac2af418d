import Foundation
import ServiceHost

/// The files of the page, as they were when the gateway started.
///
/// They are few and small, and stay in memory: nothing that a path says leads to a file system.
struct WebFiles: Sendable {
  struct File: Hashable, Sendable {
    let type: String
    let bytes: [UInt8]

    /// For `ETag`, with its quotes.
    let tag: String
  }

  private let files: [String: File]

  private static let types = [
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8", "svg": "image/svg+xml", "png": "image/png",
    "ico": "image/x-icon", "woff2": "font/woff2", "wav": "audio/wav",
    "webmanifest": "application/manifest+json",
  ]

  private static let mostFiles = 1_000
  private static let mostBytes = 32 << 20

  /// Reads the files below a folder whose names end as those of a page do.
  ///
  /// - Throws: ``HostError/configuration(_:)`` for a folder that cannot be read, or has too much.
  init(below root: String) throws(HostError) {
    let folder = URL(filePath: root, directoryHint: .isDirectory).resolvingSymlinksInPath()
    guard
      let found = FileManager.default.enumerator(
        at: folder, includingPropertiesForKeys: [.isRegularFileKey])
    else { throw .configuration("--web-root \(root) is no folder.") }
    var (files, bytes): ([String: File], Int) = ([:], 0)
    while let url = found.nextObject() as? URL {
      guard let type = Self.types[url.pathExtension],
        (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true,
        url.path.hasPrefix(folder.path)
      else { continue }
      guard let data = try? Data(contentsOf: url) else {
        throw .configuration("\(url.path) cannot be read.")
      }
      bytes += data.count
      guard files.count < Self.mostFiles, bytes <= Self.mostBytes else {
        throw .configuration("--web-root \(root) has too many files, or too large ones.")
      }
      var path = String(url.path.dropFirst(folder.path.count))
      if !path.hasPrefix("/") { path = "/" + path }
      files[path] = File(type: type, bytes: Array(data), tag: Self.tag(of: data))
    }
    guard files["/index.html"] != nil else {
      throw .configuration("--web-root \(root) has no index.html.")
    }
    self.files = files
  }

  /// The file of a path as browsers ask for it.
  subscript(path: String) -> File? {
    switch path {
    case "/": files["/index.html"]
    case "/operator", "/example": files[path + ".html"]
    default: files[path]
    }
  }

  /// FNV-1a of 64 bits: it tells versions of a file apart, and is no secret.
  private static func tag(of data: Data) -> String {
    let hash = data.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
    }
    return "\"\(String(hash, radix: 16))\""
  }
}
