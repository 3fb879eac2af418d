/// The modules that a JavaScript module imports before it runs, read from its text.
///
/// It reads the statements that begin a line, as formatters write them. One that it overlooks is
/// fetched when the browser comes to it; so nothing depends on it but time.
enum ModuleImports {
  /// Lines that one statement may have.
  private static let mostLines = 64

  /// A module and all that it imports, and these import, each once: the nearest first.
  ///
  /// - Parameter text: The text of a module by its path; `nil`: there is none.
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

  /// The paths that a module imports statically, in order.
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

  /// What stands between the first quotes, unless the statement ends before.
  private static func specifier(in lines: ArraySlice<Substring>) -> Substring? {
    for line in lines {
      let statement = line.prefix { $0 != ";" }
      let parts = statement.split(separator: "\"", omittingEmptySubsequences: false)
      if parts.count >= 3 { return parts[1] }
      if statement.endIndex != line.endIndex { return nil }
    }
    return nil
  }

  /// The path that a relative specifier means; `nil` for any other, and for one above the root.
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
