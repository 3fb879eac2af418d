internal import Glibc

/// The file operations of the registry. The errors of these operations name the path.
enum RegistryFileOperations {
  static func makeDirectory(_ path: String) throws(InstanceRegistryError) {
    guard unsafe mkdir(path, 0o700) != 0, errno != EEXIST else { return }
    throw .fileFailed(path: path, operation: "Making the directory", code: errno)
  }

  /// The maximum number of bytes to read from a file. The registry's own files are smaller.
  private static let largest = 65_536

  static func read(_ path: String) throws(InstanceRegistryError) -> String {
    let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw .fileFailed(path: path, operation: "Opening", code: errno) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: largest)
    let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw .fileFailed(path: path, operation: "Reading", code: errno) }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// Replaces a file atomically. A reader sees either the whole old text or the whole new text,
  /// even after a crash.
  static func replace(_ path: String, with text: String) throws(InstanceRegistryError) {
    let draft = path + ".new"
    let descriptor = unsafe open(
      draft, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .fileFailed(path: draft, operation: "Opening", code: errno) }
    let bytes = Array(text.utf8)
    let count = unsafe write(descriptor, bytes, bytes.count)
    let isWritten = count == bytes.count && fsync(descriptor) == 0
    let code = errno
    close(descriptor)
    guard isWritten else { throw .fileFailed(path: draft, operation: "Writing", code: code) }
    guard unsafe rename(draft, path) == 0 else {
      throw .fileFailed(path: path, operation: "Replacing", code: errno)
    }
  }

  static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  static func remove(_ path: String) { _ = unsafe unlink(path) }

  /// Returns the names with the given ending in a directory, sorted. The result omits the ending
  /// from each name.
  ///
  /// The result is empty if there is no directory.
  static func names(in path: String, ending: String) -> [String] {
    guard let directory = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
        unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      guard !name.hasPrefix("."), name.hasSuffix(ending) else { continue }
      names.append(String(name.dropLast(ending.utf8.count)))
    }
    return names.sorted()
  }
}
