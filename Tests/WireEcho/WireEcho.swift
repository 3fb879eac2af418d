import Glibc
import Wire

/// Unpacks and packs messages for tests written in other languages.
///
/// Each request on stdin is a 32-bit little-endian length, then that many bytes: the full name of a
/// message, a zero byte, and a packed message.
///
/// Each answer on stdout is a length in the same format, a status byte, and a result. With status
/// 0, the result is the message, packed again. With status 1, the result is the error as text.
@main
struct WireEcho {
  static func main() {
    let types = Dictionary(uniqueKeysWithValues: V1.allMessages.map { ($0.protoName, $0) })
    while let request = readBlock() {
      let name = String(decoding: request.prefix { $0 != 0 }, as: UTF8.self)
      let packed = Array(request.dropFirst(name.utf8.count + 1))
      guard let type = types[name] else {
        writeBlock([1] + Array("No message is called \(name).".utf8))
        continue
      }
      do {
        writeBlock([0] + (try repack(packed, as: type)))
      } catch {
        writeBlock([1] + Array("\(error)".utf8))
      }
    }
  }

  private static func repack<M: WireMessage>(
    _ bytes: [UInt8], as type: M.Type
  ) throws(WireError) -> [UInt8] {
    let message = try M(packed: bytes)
    let packed = message.packed()
    precondition(packed.count == message.packedCount, "packedCount is what packed() makes.")
    return packed
  }

  private static func readBlock() -> [UInt8]? {
    guard let length = readExactly(4) else { return nil }
    return readExactly(length.reversed().reduce(0) { $0 << 8 | Int($1) })
  }

  private static func writeBlock(_ block: [UInt8]) {
    let length = withUnsafeBytes(of: UInt32(block.count).littleEndian) { Array($0) }
    var rest = (length + block)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      guard written > 0 else { exit(1) }
      rest = rest.dropFirst(written)
    }
  }

  private static func readExactly(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var end = 0
    while end < count {
      let got = bytes.withUnsafeMutableBytes {
        read(STDIN_FILENO, $0.baseAddress?.advanced(by: end), count - end)
      }
      guard got > 0 else { return nil }
      end += got
    }
    return bytes
  }
}
