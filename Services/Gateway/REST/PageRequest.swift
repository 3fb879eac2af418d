/// The page of a list that a request asks for.
struct PageRequest: Sendable {
  /// The most entries.
  let limit: Int

  /// The place in the list after which the page begins; 0 for the first page.
  let position: Int64

  let tokens: PageToken

  /// The token of the page that begins after a place; `nil` without such a page.
  func token(for next: Int64?) -> JSONValue? { next.map { .string(tokens.text(for: $0)) } }
}
