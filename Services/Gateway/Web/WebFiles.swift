import Crypto
import Foundation
import ServiceHost
import Zlib

/// The page's files. The gateway reads these files at its start.
///
/// The files are few and small. The gateway keeps them in memory, plain and compressed. So no
/// request reads the file system, and no request compresses a file.
struct WebFiles: Sendable {
  /// A file's bytes in one content coding.
  struct Representation: Hashable, Sendable {
    let bytes: [UInt8]

    /// The entity tag for `ETag`, with its quotes.
    let tag: String
  }

  struct File: Hashable, Sendable {
    let type: String
    let plain: Representation
    let gzipped: Representation

    /// Whether browsers may cache the file permanently, because the file's address changes with the
    /// file's contents.
    var isImmutable = false

    /// Whether browsers show the file as a document and run the scripts in the file.
    var isDocument: Bool { type.hasPrefix("text/html") || type.hasPrefix("image/svg") }

    /// Returns the representation in the client's preferred coding; `nil` if the client accepts no
    /// coding.
    func representation(for codings: AcceptedCodings) -> Representation? {
      let compresses = gzipped.bytes.count < plain.bytes.count
      return codings.choice(compresses: compresses).map { $0 == .gzip ? gzipped : plain }
    }
  }

  private let files: [String: File]

  /// The prefix of all addresses that browsers may cache permanently.
  static let versions = "/v/"

  /// The prefix of the present files: ``versions`` and a hash of all files.
  let prefix: String

  private static let types = [
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "json": "application/json", "css": "text/css; charset=utf-8", "svg": "image/svg+xml",
    "png": "image/png", "ico": "image/x-icon", "woff2": "font/woff2", "wav": "audio/wav",
    "webmanifest": "application/manifest+json",
  ]

  private static let mostFiles = 1_000
  private static let mostBytes = 32 << 20

  /// Reads the files with known types in a folder and its subfolders.
  ///
  /// - Parameter branding: The operator's branding of the pages.
  /// - Throws: ``HostError/configuration(_:)`` if the folder is unreadable or too large, or has no
  ///   `index.html`.
  init(below root: String, as branding: Branding = Branding()) throws(HostError) {
    let sources = branding.applied(to: try Self.read(root))
    guard sources["/index.html"] != nil else {
      throw .configuration(
        "--web-root \(root) contains no index.html; name the directory of the pages.")
    }
    try self.init(sources)
  }

  /// Creates the files from their contents.
  ///
  /// - Parameter sources: The bytes of the files by their paths.
  /// - Throws: ``HostError/configuration(_:)`` if the process has too little memory.
  init(_ sources: [String: [UInt8]]) throws(HostError) {
    prefix = Self.versions + Self.version(of: sources)
    var files: [String: File] = [:]
    for (path, bytes) in sources {
      guard let type = Self.types[Self.ending(of: path)] else { continue }
      let isPage = Self.isPage(path)
      var file = try Self.file(type, Self.sent(path, bytes, prefix, sources))
      files[path] = file
      guard !isPage else { continue }
      file.isImmutable = true
      files[prefix + path] = file
    }
    self.files = files
  }

  /// The file at the path of a request.
  subscript(path: String) -> File? {
    switch path {
    case "/": files["/index.html"]
    case "/operator", "/example", "/embed-example": files[path + ".html"]
    default: files[path]
    }
  }

  private static func isPage(_ path: String) -> Bool { ending(of: path) == "html" }

  private static func ending(of path: String) -> String {
    String(path.split(separator: "/").last?.split(separator: ".").last ?? "")
  }

  /// Returns the bytes that browsers receive for a source file: pages with versioned addresses,
  /// scripts without comments, and all other files unchanged.
  private static func sent(
    _ path: String, _ bytes: [UInt8], _ prefix: String, _ sources: [String: [UInt8]]
  ) -> [UInt8] {
    switch ending(of: path) {
    case "html": page(String(decoding: bytes, as: UTF8.self), prefix, sources)
    case "js": ScriptCommentRemover.removed(from: bytes)
    default: bytes
    }
  }

  private static func page(
    _ html: String, _ prefix: String, _ sources: [String: [UInt8]]
  ) -> [UInt8] {
    let text = VersionedHTMLPage.text(of: html, prefix: prefix) { script in
      let modules = JavaScriptModuleImports.closure(of: script) { path in
        sources[path].map { String(decoding: $0, as: UTF8.self) }
      }
      return Array(modules.dropFirst())
    } _: {
      sources[$0] != nil && !isPage($0)
    }
    return Array(text.utf8)
  }

  private static func file(_ type: String, _ bytes: [UInt8]) throws(HostError) -> File {
    guard let gzipped = GzipFormat.compress(bytes) else {
      throw .configuration(
        """
        There is not enough memory to compress the page's files; free memory, and start the \
        gateway again.
        """)
    }
    // Half of the digest suffices to distinguish files. The page loads 90 files, so a short tag
    // saves bytes.
    let hash = hexadecimal(SHA256.hash(data: bytes).prefix(16))
    return File(
      type: type, plain: Representation(bytes: bytes, tag: "\"\(hash)\""),
      gzipped: Representation(bytes: gzipped, tag: "\"\(hash)-gzip\""))
  }

  /// Returns a hash of all paths and contents. Equal files give equal versions.
  private static func version(of sources: [String: [UInt8]]) -> String {
    var hash = SHA256()
    for (path, bytes) in sources.sorted(by: { $0.key < $1.key }) {
      hash.update(data: Data("\(path.utf8.count) \(path) \(bytes.count) ".utf8))
      hash.update(data: bytes)
    }
    return hexadecimal(hash.finalize())
  }

  /// Returns the first 16 bytes in hexadecimal. These bytes suffice to distinguish versions.
  private static func hexadecimal(_ digest: some Sequence<UInt8>) -> String {
    digest.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func read(_ root: String) throws(HostError) -> [String: [UInt8]] {
    let folder = URL(filePath: root, directoryHint: .isDirectory).resolvingSymlinksInPath()
    guard
      let found = FileManager.default.enumerator(
        at: folder, includingPropertiesForKeys: [.isRegularFileKey])
    else {
      throw .configuration(
        "--web-root \(root) is not a directory; name the directory of the pages.")
    }
    var (sources, bytes): ([String: [UInt8]], Int) = ([:], 0)
    while let url = found.nextObject() as? URL {
      guard types[url.pathExtension] != nil,
        (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true,
        url.path.hasPrefix(folder.path)
      else { continue }
      guard let data = try? Data(contentsOf: url) else {
        throw .configuration(
          "--web-root contains \(url.path), which this user cannot read; change its permissions.")
      }
      bytes += data.count
      guard sources.count < mostFiles, bytes <= mostBytes else {
        throw .configuration(
          """
          --web-root \(root) contains more than \(mostFiles) files or \(mostBytes) bytes; name \
          the directory of the pages alone.
          """)
      }
      var path = String(url.path.dropFirst(folder.path.count))
      if !path.hasPrefix("/") { path = "/" + path }
      sources[path] = Array(data)
    }
    return sources
  }
}
