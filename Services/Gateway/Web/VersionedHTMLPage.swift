/// An HTML page whose files have addresses that browsers may cache permanently.
///
/// In the repository, pages refer to their files by plain paths, so the pages work with any server.
/// This type adds the version of all files to these paths as a prefix. Before each script, it adds
/// preload links for the modules that the script imports, so that the browser fetches the modules
/// in parallel.
enum VersionedHTMLPage {
  /// Returns a page with versioned addresses and preload links.
  ///
  /// - Parameters:
  ///   - prefix: The prefix of a versioned path.
  ///   - modules: Returns the modules that the script at a path imports, without the script itself.
  ///   - isFile: Returns whether a file exists at a path and may get a version.
  static func text(
    of html: String, prefix: String, importing modules: (String) -> [String],
    _ isFile: (String) -> Bool
  ) -> String {
    versioned(announcing(modules, in: html), prefix, isFile)
  }

  /// The HTML attributes that contain addresses. Scripts read `data-src`, and load the file at this
  /// address later.
  private static let addresses = [" href=\"", " src=\"", " data-src=\""]

  private static let script = "<script type=\"module\" src=\""

  private static func announcing(_ modules: (String) -> [String], in html: String) -> String {
    var (text, rest) = ("", html[...])
    while let start = rest.firstRange(of: script) {
      text += rest[..<start.lowerBound]
      let path = String(rest[start.upperBound...].prefix { $0 != "\"" })
      for module in modules(path) { text += "<link rel=\"modulepreload\" href=\"\(module)\">\n  " }
      text += script
      rest = rest[start.upperBound...]
    }
    return text + rest
  }

  private static func versioned(
    _ html: String, _ prefix: String, _ isFile: (String) -> Bool
  ) -> String {
    var text = ""
    for part in html.split(separator: "\"", omittingEmptySubsequences: false) {
      let isAddress = addresses.contains { text.hasSuffix($0) }
      if isAddress, isFile(String(part.prefix { $0 != "#" })) { text += prefix }
      text += part + "\""
    }
    return String(text.dropLast())
  }
}
