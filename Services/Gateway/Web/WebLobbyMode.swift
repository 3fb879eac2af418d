import ArgumentParser
import Foundation
import MeetingModel
import ServiceHost

/// How the lobby is opened, as a flag says it.
enum WebLobbyMode: String, ExpressibleByArgument, CaseIterable {
  case open, key, off

  /// The key in a file, without the white space around it; made where there is no such file.
  ///
  /// - Throws: ``HostError/configuration(_:)`` for a file that everybody may read, and for what is
  ///   no key.
  static func key(in path: String) throws(HostError) -> [UInt8] {
    if !FileManager.default.fileExists(atPath: path) {
      let key = "\(MeetingID.random().text)\(MeetingID.random().text)\n"
      let isMade = FileManager.default.createFile(
        atPath: path, contents: Data(key.utf8), attributes: [.posixPermissions: 0o600])
      guard isMade else { throw .configuration("\(path) cannot be made.") }
    }
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    let mode = (attributes?[.posixPermissions] as? NSNumber)?.uint16Value ?? 0o777
    guard mode & 0o007 == 0 else { throw .configuration("Everybody may read \(path).") }
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw .configuration("\(path) cannot be read as text.")
    }
    let key = Array(text.trimmingCharacters(in: .whitespacesAndNewlines).utf8)
    guard (16...1_024).contains(key.count) else {
      throw .configuration("The key in \(path) must have 16-1024 bytes.")
    }
    return key
  }
}
