/// The meanings of header-extension numbers in one connection, for each kind of media.
///
/// A number keeps its meaning while the connection lasts (RFC 8285, §6). Otherwise a receiver could
/// read a packet in flight with the numbers of another offer. Later offers may add numbers.
public struct ExtensionMap: Hashable, Sendable {
  private struct Number: Hashable {
    let kind: String
    let id: UInt8
  }

  private var meanings: [Number: String] = [:]

  /// Creates an empty map.
  public init() {}

  /// Returns the URI that a number stands for in packets of the given kind of media; `nil` if the
  /// number has no meaning.
  public func uri(of id: UInt8, in kind: String) -> String? {
    meanings[Number(kind: kind, id: id)]
  }

  /// Adds the numbers of a section that the answer accepts.
  ///
  /// - Throws: An error if a number already has another meaning.
  mutating func add(_ section: NegotiatedSection) throws(SDPOffer.Problem) {
    for one in section.extensions where section.isTaken {
      let former = meanings.updateValue(one.uri, forKey: Number(kind: section.kind, id: one.id))
      guard let former, former != one.uri else { continue }
      throw SDPOffer.Problem(
        """
        The offer uses the header extension \(one.id) for \(one.uri), but an earlier section or \
        offer used it for \(former); use one id for one URI.
        """)
    }
  }
}
