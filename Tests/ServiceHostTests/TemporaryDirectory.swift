import Foundation

/// Makes a directory with a short name, passes the directory to `body`, and removes the directory.
@discardableResult func withTemporaryDirectory<Result>(
  _ body: (_ path: String) async throws -> Result
) async throws -> Result {
  let path = "/tmp/sh-\(UInt32.random(in: 0...UInt32.max))"
  try FileManager.default.createDirectory(
    atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  defer { try? FileManager.default.removeItem(atPath: path) }
  return try await body(path)
}

func setMode(_ mode: Int, of path: String) throws {
  try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
}

func mode(of path: String) throws -> Int? {
  try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
}
