internal import Foundation
package import Output

/// Where an installation keeps its sockets: the same rules as its services follow.
package enum RuntimeDirectory {
  /// The variable that stands for `--runtime-dir`.
  package static let variable = "CARILLON_RUNTIME_DIR"

  /// Where sockets are if nobody says so, best first.
  package static func candidates(in environment: [String: String], user: UInt32) -> [String] {
    var candidates = ["/run/carillon"]
    if let base = environment["XDG_RUNTIME_DIR"], base.hasPrefix("/") {
      candidates.append("\(base)/carillon")
    }
    candidates.append("/tmp/carillon-\(user)")
    return candidates
  }

  /// The directories to look for a running installation in: the one asked for, else all candidates.
  package static func places(requested: String?, environment: [String: String]) -> [String] {
    if let path = asked(requested, environment) { return [path] }
    return candidates(in: environment, user: getuid())
  }

  /// The directory in which to start an installation: the one asked for, else the first candidate
  /// that this user owns or can make.
  ///
  /// - Throws: ``CommandFailure`` when there is none.
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

  /// The path from the root on, without a slash at its end.
  package static func absolute(_ path: String) -> String {
    var absolute =
      path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    while absolute.count > 1, absolute.hasSuffix("/") { absolute.removeLast() }
    return absolute
  }

  /// Whether it is a directory, no link, of this user.
  private static func isOurs(_ path: String) -> Bool {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      attributes[.type] as? FileAttributeType == .typeDirectory
    else { return false }
    return (attributes[.ownerAccountID] as? NSNumber)?.uint32Value == getuid()
  }

  private static func makeDirectory(_ path: String) -> Bool {
    // lstat(2), not stat(2): a link that leads nowhere is there too.
    guard (try? FileManager.default.attributesOfItem(atPath: path)) == nil else { return false }
    return
      (try? FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700])) != nil
  }
}
