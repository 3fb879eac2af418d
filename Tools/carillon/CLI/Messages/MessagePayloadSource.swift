internal import Foundation
internal import LocalInstallation
internal import MeetingViews
internal import Output

/// The source of a message's bytes for `carillon send`.
enum MessagePayloadSource: Hashable, Sendable {
  case text(String)
  /// The text of a JSON object or array, sent unchanged.
  case json(String)
  case file(String)
  case standardInput

  /// The maximum size of a message, in bytes.
  static let longest = DisplayedDataMessage.longest

  /// Reads the bytes.
  ///
  /// - Throws: ``CommandFailure`` when this process cannot read the bytes, when the text of `json`
  ///   is not a JSON object or array, or when the message is too long.
  func bytes() async throws(CommandFailure) -> [UInt8] {
    let bytes = try await read()
    guard bytes.count <= Self.longest else {
      throw .invalid("A message has at most \(Self.longest) bytes; this one has more.")
    }
    return bytes
  }

  private func read() async throws(CommandFailure) -> [UInt8] {
    switch self {
    case .text(let text): return Array(text.utf8)
    case .json(let text):
      guard (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil else {
        throw .invalid("--json must be a JSON object or array; got \(text).")
      }
      return Array(text.utf8)
    case .file(let path):
      guard let file = FileHandle(forReadingAtPath: path) else {
        throw .precondition("\(path) cannot be read; name a readable file.")
      }
      return try await Self.read(file, named: path)
    case .standardInput:
      return try await Self.read(.standardInput, named: "Standard input")
    }
  }

  /// Reads a file. Stops as soon as the bytes exceed the limit.
  private static func read(
    _ file: FileHandle, named name: String
  ) async throws(CommandFailure) -> [UInt8] {
    let bytes = await BlockingWork.run { () -> [UInt8]? in
      var bytes: [UInt8] = []
      do {
        while bytes.count <= longest,
          let more = try file.read(upToCount: longest + 1 - bytes.count), !more.isEmpty
        {
          bytes += more
        }
        return bytes
      } catch {
        return nil
      }
    }
    guard let bytes else { throw .precondition("\(name) cannot be read; check its permissions.") }
    return bytes
  }
}
