import ArgumentParser
import Foundation
import MeetingModel
import Secrets
import ServiceHost

/// The mode of the lobby, from the option `--web-lobby`.
enum WebLobbyMode: String, ExpressibleByArgument, CaseIterable {
  case open, key, off

  /// Reads the key from a file, and removes the surrounding white space. Creates the file if it
  /// does not exist.
  ///
  /// - Parameter flag: The option that names the file.
  /// - Throws: ``HostError/configuration(_:)`` if all users may read the file, or if it contains no
  ///   valid key.
  static func key(in path: String, of flag: String) throws(HostError) -> [UInt8] {
    if !FileManager.default.fileExists(atPath: path) {
      let key = "\(GUID.random().text)\(GUID.random().text)\n"
      let isMade = FileManager.default.createFile(
        atPath: path, contents: Data(key.utf8), attributes: [.posixPermissions: 0o600])
      guard isMade else {
        throw .configuration(
          "\(flag) \(path) cannot be created; name a file in a directory that this user may write.")
      }
    }
    let file: SecretFile?
    do throws(SecretFileError) {
      file = try SecretFile(path, for: .group, limit: 4_096)
    } catch {
      throw .configuration("\(flag) \(path) cannot be used: \(error.problem)")
    }
    guard let bytes = file?.bytes, let text = String(validating: bytes, as: UTF8.self) else {
      throw .configuration(
        "\(flag) \(path) is not text in UTF-8; write a key of 16-1024 characters into it.")
    }
    let key = Array(text.trimmingCharacters(in: .whitespacesAndNewlines).utf8)
    guard (16...1_024).contains(key.count) else {
      throw .configuration("The key in \(flag) \(path) must have 16-1024 bytes.")
    }
    return key
  }
}
