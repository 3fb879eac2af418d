/// The trace of a request: `traceparent` of W3C Trace Context, version 00.
///
/// It has the form `00-<trace id>-<parent id>-<flags>`, in lower-case hexadecimal digits.
public struct TraceParent: Hashable, Sendable {
  /// The whole header, 55 characters.
  public let text: String

  /// Parses a header; `nil` for a header that violates the standard or has an id of zeros.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard text.utf8.count == 55, parts.count == 4, parts[0] == "00" else { return nil }
    guard parts[1].utf8.count == 32, parts[2].utf8.count == 16, parts[3].utf8.count == 2,
      parts[1...].allSatisfy({ $0.utf8.allSatisfy(Self.isDigit) }),
      parts[1...2].allSatisfy({ $0.utf8.contains { $0 != UInt8(ascii: "0") } })
    else { return nil }
    self.text = text
  }

  private init(trace: GUID, parent: GUID) {
    let digits = [trace, parent].map { $0.text.filter { $0 != "-" } }
    text = "00-\(digits[0])-\(digits[1].prefix(16))-01"
  }

  /// Returns the start of a new trace, from the system's random numbers.
  public static func random() -> TraceParent {
    TraceParent(trace: .random(), parent: .random())
  }

  /// The trace id shared by all requests of the trace: 32 hexadecimal digits.
  public var traceID: String { String(text.dropFirst(3).prefix(32)) }

  private static func isDigit(_ byte: UInt8) -> Bool {
    Hexadecimal.value(of: byte) != nil && !(UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
  }
}
