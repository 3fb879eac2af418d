/// The content codings that a client accepts, from its `Accept-Encoding` (RFC 9110, §12.5.3).
struct AcceptedCodings: Hashable, Sendable {
  /// A content coding in which the gateway sends the page's files.
  enum Coding: Hashable, Sendable {
    case identity, gzip
  }

  /// The weights in thousandths, by the name of the coding in lower case.
  private var weights: [String: Int] = [:]

  /// The maximum number of codings that the gateway reads. Clients list fewer codings.
  private static let mostCodings = 32

  /// - Parameter header: The header's value; `nil` for a request without the header. Without the
  ///   header, the client gets the identity coding.
  init(_ header: String?) {
    guard let header else {
      weights = ["gzip": 0]
      return
    }
    for part in header.split(separator: ",").prefix(Self.mostCodings) {
      let pieces = part.split(separator: ";", omittingEmptySubsequences: false).map(Self.trim)
      guard let name = pieces.first, !name.isEmpty else { continue }
      weights[name == "x-gzip" ? "gzip" : name] = Self.weight(of: pieces.dropFirst())
    }
  }

  /// Returns the coding for a file; `nil` if the client accepts none.
  ///
  /// - Parameter compresses: Whether gzip makes the file smaller. If gzip does not make the file
  ///   smaller, only a client that refuses identity gets gzip.
  func choice(compresses: Bool) -> Coding? {
    let (gzip, identity) = (weight(of: "gzip", unlisted: 0), weight(of: "identity", unlisted: 1))
    if gzip > 0, identity == 0 || (compresses && gzip >= identity) { return .gzip }
    return identity > 0 ? .identity : nil
  }

  /// Returns a coding's weight.
  ///
  /// Identity is acceptable unless the client refuses it. If the header does not list identity,
  /// the client prefers each listed coding to identity.
  private func weight(of coding: String, unlisted: Int) -> Int {
    weights[coding] ?? weights["*"] ?? unlisted
  }

  /// Returns the weight `q` from a coding's parameters; 0 if `q` is not a number from 0 to 1.
  private static func weight(of parameters: ArraySlice<String>) -> Int {
    guard let text = parameters.first(where: { $0.hasPrefix("q=") })?.dropFirst(2) else {
      return 1_000
    }
    guard text.utf8.count <= 5, let value = Double(text), (0...1).contains(value) else { return 0 }
    return Int((value * 1_000).rounded())
  }

  private static func trim(_ text: Substring) -> String {
    String(text.filter { $0 != " " && $0 != "\t" }).lowercased()
  }
}
