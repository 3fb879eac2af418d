import Foundation

/// Runs `body` with the path of an empty directory, and removes the directory afterwards.
///
/// The path is short, because the path of a Unix socket has at most 107 bytes (unix(7)).
public func withTemporaryDirectory<Result>(
  _ body: (String) async throws -> Result
) async throws -> Result {
  let path = NSTemporaryDirectory() + "c-" + UUID().uuidString.prefix(8)
  try FileManager.default.createDirectory(
    atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  defer { try? FileManager.default.removeItem(atPath: path) }
  return try await body(path)
}
