internal import Foundation

/// The rules for choosing and trusting the directories for a process's sockets and data.
enum DirectoryRules {
  /// The longest socket path that `unix(7)` allows, in bytes.
  static let longestSocketPath = 107

  /// Returns the default directories for sockets, best first.
  static func runtimeCandidates(in environment: [String: String], user: UInt32) -> [String] {
    var candidates = ["/run/carillon"]
    if let base = absolute(environment["XDG_RUNTIME_DIR"]) { candidates.append("\(base)/carillon") }
    candidates.append("/tmp/carillon-\(user)")
    return candidates
  }

  /// Returns the default directories for data, best first.
  static func dataCandidates(in environment: [String: String]) -> [String] {
    var candidates = ["/var/lib/carillon"]
    if let base = absolute(environment["XDG_STATE_HOME"]) { candidates.append("\(base)/carillon") }
    if let home = absolute(environment["HOME"]) {
      candidates.append("\(home)/.local/state/carillon")
    }
    return candidates
  }

  /// Chooses the runtime directory, and makes it unless it exists.
  ///
  /// - Parameters:
  ///   - requested: The directory that a flag names; `nil` to try the candidates.
  ///   - candidates: The directories to try, in order. The function skips a directory that it
  ///     cannot make, and a directory of another user. If other users may write to a directory of
  ///     this user, the function throws an error.
  ///   - user: The user id that must own the directory.
  /// - Returns: The absolute path of the directory.
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
          "--runtime-dir \(path) must be a directory of user \(user), and not a link.")
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

  /// Chooses the data directory: the first candidate that this process can write to or create.
  ///
  /// Does not create the directory, because most services store nothing.
  static func chooseData(requested: String?, candidates: [String]) throws(HostError) -> String {
    if let requested { return absolutePath(of: requested) }
    for path in candidates where canWrite(to: path) { return path }
    throw .configuration(
      "None of \(candidates.joined(separator: ", ")) can be written to; name a directory with "
        + "--data-dir.")
  }

  /// Makes the data directory unless it exists, and checks that this process can write to it.
  static func makeData(at path: String) throws(HostError) {
    do {
      try makeDirectory(at: path, withParents: true)
    } catch {
      throw .configuration("Cannot make --data-dir \(path): \(error.localizedDescription)")
    }
    guard isDirectory(path), FileManager.default.isWritableFile(atPath: path) else {
      throw .configuration("--data-dir \(path) must be a directory that this user can write to.")
    }
  }

  /// Throws an error if a runtime directory's path is too long for the names of its sockets.
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
    // This code uses lstat(2), because stat(2) does not find a broken link.
    guard (try? FileManager.default.attributesOfItem(atPath: path)) == nil else { return }
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: withParents,
      attributes: [.posixPermissions: 0o700])
  }

  /// Returns the owner of the directory at `path`; `nil` if the path is a link, or is not a
  /// directory.
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
      throw .configuration(
        "Other users may write to \(path); run chmod 0700 \(path) and start again.")
    }
  }

  /// Returns whether `path` is a directory or a link to a directory: only a directory contains `.`.
  private static func isDirectory(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(path)/.")
  }

  private static func canWrite(to path: String) -> Bool {
    let files = FileManager.default
    guard !files.fileExists(atPath: path) else {
      return isDirectory(path) && files.isWritableFile(atPath: path)
    }
    let parent = (path as NSString).deletingLastPathComponent
    // The service also creates a missing parent directory, so an ancestor directory must be
    // writable.
    return parent == path ? false : canWrite(to: parent)
  }

  private static func absolute(_ path: String?) -> String? {
    guard let path, path.hasPrefix("/") else { return nil }
    return absolutePath(of: path)
  }

  /// Returns `path` as an absolute path without a trailing slash. A trailing slash would make
  /// `lstat(2)` follow a link.
  static func absolutePath(of path: String) -> String {
    var absolute =
      path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    while absolute.count > 1, absolute.hasSuffix("/") { absolute.removeLast() }
    return absolute
  }
}
