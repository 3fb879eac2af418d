import ServiceHost

/// The rule that decides which pages of other origins may show the meeting page in a frame.
struct WebEmbedding: Sendable {
  let origins: EmbedOrigins

  /// Requests for the meeting page whose query named an origin that the operator has not listed.
  let refused: Counter

  /// The path of the meeting page for frames.
  static let path = "/embed"

  /// The path of the element `<carillon-meeting>`. Pages of other origins load no other script.
  static let element = "/js/embed/carillon-meeting.js"

  /// Returns the origins whose pages may show the answer to a request: the origin that the request
  /// names, or all listed origins if the request names no origin. Returns `nil` and counts the
  /// request if the operator has not listed the named origin.
  func ancestors(for query: String) -> [String]? {
    guard let named = try? QueryParameters(query)["origin"] else { return refuse() }
    if named.isEmpty { return origins.list }
    guard named.count == 1, origins.list.contains(named[0]) else { return refuse() }
    return named
  }

  /// Returns whether the operator has listed a page's origin.
  func names(_ origin: String) -> Bool { origins.list.contains(origin) }

  private func refuse() -> [String]? {
    refused.increment()
    return nil
  }
}
