internal import Crypto

/// The canonical form of a request, which the client and the server hash.
struct CanonicalRequest: Hashable {
  let text: String

  /// - Parameter names: The names of the signed headers, in lower case and sorted. The request has
  ///   each of these headers.
  init(of request: SignableRequest, signing names: [String]) {
    let headers = names.map { name in
      let values = request.values(of: name).map(Self.headerValue)
      return "\(name):\(values.joined(separator: ","))\n"
    }
    text = [
      request.method, Self.path(request.path), Self.query(request.query), headers.joined(),
      names.joined(separator: ";"), Self.hash(of: request.body),
    ].joined(separator: "\n")
  }

  /// Returns the SHA-256 hash of bytes, in lower-case hexadecimal digits.
  static func hash(of bytes: [UInt8]) -> String { hexadecimal(SHA256.hash(data: bytes)) }

  static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }, as: UTF8.self)
  }

  /// Removes dot segments and empty segments, and percent-encodes the path once more.
  static func path(_ path: String) -> String {
    let slash = UInt8(ascii: "/")
    var kept: [[UInt8]] = []
    for segment in path.utf8.split(separator: slash).map({ Array($0) })
    where segment != [UInt8(ascii: ".")] {
      if segment == [UInt8(ascii: "."), UInt8(ascii: ".")] {
        _ = kept.popLast()
      } else {
        kept.append(segment)
      }
    }
    let end = path.utf8.last == slash && !kept.isEmpty ? [slash] : []
    let begin = path.isEmpty || path.utf8.first == slash ? [slash] : []
    return PercentEncoded.text(
      of: begin + kept.joined(separator: [slash]) + end, keepingSlash: true)
  }

  /// Percent-encodes the parameters uniformly, and sorts them by name and value.
  static func query(_ query: String) -> String {
    guard !query.isEmpty else { return "" }
    let pairs = query.split(separator: "&", omittingEmptySubsequences: false).map { part in
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (canonical(sides[0]), sides.count > 1 ? canonical(sides[1]) : "")
    }
    // The encoded parameters are ASCII, so strings sort in the order of their bytes.
    return pairs.sorted { $0 < $1 }.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
  }

  private static func canonical(_ text: Substring) -> String {
    PercentEncoded.text(of: PercentEncoded.bytes(of: text.utf8), keepingSlash: false)
  }

  /// Trims white space, and replaces each run of white space inside with one space.
  private static func headerValue(_ value: String) -> String {
    let words = value.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    return String(decoding: Array(words.joined(separator: [UInt8(ascii: " ")])), as: UTF8.self)
  }
}
