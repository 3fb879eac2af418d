internal import Foundation

/// Where a process keeps its sockets and its data: the rules for choosing and trusting a directory.
enum Directories {
  /// The longest path `unix(7)` takes, in bytes.
  static let longestSocketPath = 107

  /// Where sockets go if no flag says so, best first.
  static func runtimeCandidates(in environment: [String: String], user: UInt32) -> [String] {
    var candidates = ["/run/carillon"]
    if let base = absolute(environment["XDG_RUNTIME_DIR"]) { candidates.append("\(base)/carillon") }
    candidates.append("/tmp/carillon-\(user)")
    return candidates
  }

  /// Where data goes if no flag says so, best first.
  static func dataCandidates(in environment: [String: String]) -> [String] {
    var candidates = ["/var/lib/carillon"]
    if let base = absolute(environment["XDG_STATE_HOME"]) { candidates.append("\(base)/carillon") }
    if let home = absolute(environment["HOME"]) {
      candidates.append("\(home)/.local/state/carillon")
    }
    return candidates
  }

  /// Picks the runtime directory and makes it unless it exists.
  ///
  /// - Parameters:
  ///   - requested: What a flag asks for; then nothing else is tried.
  ///   - candidates: Tried in turn. One that cannot be made, or is another user's, is passed over;
  ///     one of this user's that others may write to is refused.
  ///   - user: The user id that must own it.
  /// - Returns: Its absolute path.
  /// - Throws: ``HostError/configuration(_:)``.
  static func makeRuntime(
    requested: String?, candidates: [String], user: UInt32
  ) throws(HostError) -> String {
    if let requested {
      let path = absolutePath(of: requested)
      do {
        try makeDirectory(at: path, withParents: true)
      } catch {
        throw .configuration("Cannot make --runtime-dir \(path): \(error.localizedDescription)")
      }
      guard owner(of: path) == user else {
        throw .configuration(
          "--runtime-dir \(path) must be a directory of user \(user), no link and nobody else's.")
      }
      try refuseSharedDirectory(path)
      return path
    }
    for path in candidates {
      guard (try? makeDirectory(at: path, withParents: false)) != nil, owner(of: path) == user
      else { continue }
      try refuseSharedDirectory(path)
      return path
    }
    throw .configuration(
      "None of \(candidates.joined(separator: ", ")) can be used; name a directory of your own "
        + "with --runtime-dir.")
  }

  /// Picks the data directory: the first candidate that can be written to or made.
  ///
  /// Makes nothing: most services store nothing.
  static func chooseData(requested: String?, candidates: [String]) throws(HostError) -> String {
    if let requested { return absolutePath(of: requested) }
    for path in candidates where canWrite(to: path) { return path }
    throw .configuration(
      "None of \(candidates.joined(separator: ", ")) can be written to; name a directory with "
        + "--data-dir.")
  }

  /// Makes the data directory unless it exists, and makes sure that it can be written to.
  static func makeData(at path: String) throws(HostError) {
    do {
      try makeDirectory(at: path, withParents: true)
    } catch {
      throw .configuration("Cannot make --data-dir \(path): \(error.localizedDescription)")
    }
    guard isDirectory(path), FileManager.default.isWritableFile(atPath: path) else {
      throw .configuration("--data-dir \(path) must be a directory this user can write to.")
    }
  }

  /// Refuses a runtime directory that leaves no room for the names of its sockets.
  static func checkSocketPaths(in runtime: String, instance: String) throws(HostError) {
    let longestFileName = "/.".utf8.count + instance.utf8.count + Host.longestEndpointName + 5
    let room = longestSocketPath - longestFileName
    guard runtime.utf8.count <= room else {
      throw .configuration(
        "--runtime-dir \(runtime) is too long for Unix sockets: at most \(room) bytes with "
          + "--instance \(instance).")
    }
  }

  // MARK: - Files

  private static func makeDirectory(at path: String, withParents: Bool) throws {
    // lstat(2), not stat(2): a link that leads nowhere is there too.
    guard (try? FileManager.default.attributesOfItem(atPath: path)) == nil else { return }
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: withParents,
      attributes: [.posixPermissions: 0o700])
  }

  /// The user who owns the directory at `path`, or `nil` if it is a link or something else.
  private static func owner(of path: String) -> UInt32? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      attributes[.type] as? FileAttributeType == .typeDirectory
    else { return nil }
    return (attributes[.ownerAccountID] as? NSNumber)?.uint32Value
  }

  private static func refuseSharedDirectory(_ path: String) throws(HostError) {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard let mode = (attributes?[.posixPermissions] as? NSNumber)?.uint16Value,
      mode & 0o022 == 0
    else {
      throw .configuration("Others may write to \(path): run chmod 0700 \(path) and start again.")
    }
  }

  /// Whether `path` is a directory or a link to one: nothing else contains itself.
  private static func isDirectory(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(path)/.")
  }

  private static func canWrite(to path: String) -> Bool {
    let files = FileManager.default
    guard !files.fileExists(atPath: path) else {
      return isDirectory(path) && files.isWritableFile(atPath: path)
    }
    let parent = (path as NSString).deletingLastPathComponent
    // A parent that is missing is made too, as long as something above it can be written to.
    return parent == path ? false : canWrite(to: parent)
  }

  private static func absolute(_ path: String?) -> String? {
    guard let path, path.hasPrefix("/") else { return nil }
    return absolutePath(of: path)
  }

  /// `path` made absolute, without a trailing slash that would have links followed.
  static func absolutePath(of path: String) -> String {
    var absolute =
      path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    while absolute.count > 1, absolute.hasSuffix("/") { absolute.removeLast() }
    return absolute
  }
}
