/// The modules that a JavaScript module imports, according to its text.
///
/// The type finds only statements at the start of a line, where formatters write them. If the type
/// misses a module, the browser fetches this module later. So a miss costs only time.
enum JavaScriptModuleImports {
  /// The maximum number of lines of one statement.
  private static let mostLines = 64

  /// Returns a module and all modules that it imports directly or indirectly, without repeats, in
  /// breadth-first order.
  ///
  /// - Parameter text: Returns the text of the module at a path; `nil` if the path has no module.
  static func closure(of path: String, _ text: (String) -> String?) -> [String] {
    var found = [path]
    var next = 0
    while next < found.count {
      let imports = text(found[next]).map { statics(in: $0, at: found[next]) } ?? []
      for each in imports where !found.contains(each) && text(each) != nil { found.append(each) }
      next += 1
    }
    return found
  }

  /// Returns the paths that a module imports statically, in order.
  static func statics(in text: String, at path: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.compactMap { index in
      guard begins(lines[index]) else { return nil }
      return specifier(in: lines[index...].prefix(mostLines)).flatMap { resolve($0, from: path) }
    }
  }

  private static func begins(_ line: Substring) -> Bool {
    ["import ", "import\"", "import{", "export {", "export{", "export *"].contains {
      line.hasPrefix($0)
    }
  }

  /// Returns the text in the first quotes; `nil` if the statement ends before any quotes.
  private static func specifier(in lines: ArraySlice<Substring>) -> Substring? {
    for line in lines {
      let statement = line.prefix { $0 != ";" }
      let parts = statement.split(separator: "\"", omittingEmptySubsequences: false)
      if parts.count >= 3 { return parts[1] }
      if statement.endIndex != line.endIndex { return nil }
    }
    return nil
  }

  /// Returns the path that a relative specifier refers to. Returns `nil` for any other specifier,
  /// and for a path above the root.
  static func resolve(_ specifier: Substring, from path: String) -> String? {
    guard specifier.hasPrefix("./") || specifier.hasPrefix("../") else { return nil }
    var segments = path.split(separator: "/").dropLast()
    for segment in specifier.split(separator: "/") where segment != "." {
      if segment != ".." {
        segments.append(segment)
      } else if segments.popLast() == nil {
        return nil
      }
    }
    return "/" + segments.joined(separator: "/")
  }
}
