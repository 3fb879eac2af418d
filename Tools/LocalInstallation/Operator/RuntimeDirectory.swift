internal import Foundation
package import Output

/// Finds the directory of sockets by the same rules as the services.
package enum RuntimeDirectory {
  /// The environment variable for `--runtime-dir`.
  package static let variable = "CARILLON_RUNTIME_DIR"

  /// Returns the default directories, in order of preference.
  package static func candidates(in environment: [String: String], user: UInt32) -> [String] {
    var candidates = ["/run/carillon"]
    if let base = environment["XDG_RUNTIME_DIR"], base.hasPrefix("/") {
      candidates.append("\(base)/carillon")
    }
    candidates.append("/tmp/carillon-\(user)")
    return candidates
  }

  /// Returns the directories to search for a running installation: the requested directory, or all
  /// default directories if the user requested no directory.
  package static func places(requested: String?, environment: [String: String]) -> [String] {
    if let path = asked(requested, environment) { return [path] }
    return candidates(in: environment, user: getuid())
  }

  /// Returns the directory for a new installation.
  ///
  /// The result is the requested directory. If the user requested no directory, the result is the
  /// first default directory that this user owns or can create.
  ///
  /// - Throws: ``CommandFailure`` when this user neither owns nor can create a default directory.
  package static func choose(
    requested: String?, environment: [String: String]
  ) throws(CommandFailure) -> String {
    if let path = asked(requested, environment) { return path }
    let candidates = candidates(in: environment, user: getuid())
    for path in candidates where isOurs(path) || makeDirectory(path) { return path }
    throw .precondition(
      "None of \(candidates.joined(separator: ", ")) can be used; name a directory of your own "
        + "with --runtime-dir.")
  }

  private static func asked(_ requested: String?, _ environment: [String: String]) -> String? {
    let path = requested ?? environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 }
    return path.map(absolute)
  }

  /// Returns the absolute path without a slash at its end.
  package static func absolute(_ path: String) -> String {
    var absolute =
      path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    while absolute.count > 1, absolute.hasSuffix("/") { absolute.removeLast() }
    return absolute
  }

  /// Returns whether the path is a directory, not a link, that this user owns.
  private static func isOurs(_ path: String) -> Bool {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      attributes[.type] as? FileAttributeType == .typeDirectory
    else { return false }
    return (attributes[.ownerAccountID] as? NSNumber)?.uint32Value == getuid()
  }

  private static func makeDirectory(_ path: String) -> Bool {
    // attributesOfItem uses lstat(2), so this check also finds a dangling link.
    guard (try? FileManager.default.attributesOfItem(atPath: path)) == nil else { return false }
    return
      (try? FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700])) != nil
  }
}
