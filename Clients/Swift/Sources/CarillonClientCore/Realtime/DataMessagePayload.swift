import Foundation

/// Makes bytes of what an application sends.
enum DataMessagePayload {
  /// Most bytes of one message.
  static let longest = 2048

  /// Text as UTF-8, bytes as they are, an array or dictionary as its JSON text; tried in the order
  /// text, `[UInt8]`, JSON, `Data`.
  ///
  /// - Throws: `SendDataMessageError.invalidData` for anything else, `.invalidDataLength` for more
  ///   than 2048 bytes, and what `JSONSerialization` throws.
  static func bytes(of data: Any) throws -> [UInt8] {
    let bytes = try allBytes(of: data)
    guard bytes.count <= longest else { throw SendDataMessageError.invalidDataLength }
    return bytes
  }

  private static func allBytes(of data: Any) throws -> [UInt8] {
    if let text = data as? String { return Array(text.utf8) }
    if let bytes = data as? [UInt8] { return bytes }
    if JSONSerialization.isValidJSONObject(data) {
      return [UInt8](try JSONSerialization.data(withJSONObject: data))
    }
    if let data = data as? Data { return [UInt8](data) }
    throw SendDataMessageError.invalidData
  }
}
