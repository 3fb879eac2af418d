import Foundation

/// Converts an application's payload into bytes.
enum DataMessagePayloadEncoder {
  /// The maximum number of bytes of one message.
  static let longest = 2048

  /// Returns the bytes of a payload.
  ///
  /// Text becomes UTF-8, bytes are unchanged, and an array or dictionary becomes JSON text. The
  /// method tries the types in the order text, `[UInt8]`, JSON, `Data`.
  ///
  /// - Throws: `SendDataMessageError.invalidData` for any other type, `.invalidDataLength` for more
  ///   than 2048 bytes, and the errors of `JSONSerialization`.
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
