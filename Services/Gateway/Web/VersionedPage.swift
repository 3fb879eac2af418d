/// A page of HTML whose files have addresses that browsers may keep for good.
///
/// The pages in the repository name their files by their plain paths, so that they work with any
/// server. Here the paths get the version of all files in front, and the modules that a script
/// imports are named before it, so that the browser fetches them at once.
enum VersionedPage {
  /// - Parameters:
  ///   - prefix: What stands in front of a versioned path.
  ///   - modules: The modules that a script imports, by its path; without the script itself.
  ///   - isFile: Whether there is a file of a path that may have a version.
  static func text(
    of html: String, prefix: String, importing modules: (String) -> [String],
    _ isFile: (String) -> Bool
  ) -> String {
    versioned(announcing(modules, in: html), prefix, isFile)
  }

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
      let isAddress = text.hasSuffix(" href=\"") || text.hasSuffix(" src=\"")
      if isAddress, isFile(String(part.prefix { $0 != "#" })) { text += prefix }
      text += part + "\""
    }
    return String(text.dropLast())
  }
}
