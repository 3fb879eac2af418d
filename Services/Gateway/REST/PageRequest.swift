/// The page that a request selects from a list.
struct PageRequest: Sendable {
  /// The maximum number of entries.
  let limit: Int

  /// The position in the list before the page; 0 for the first page.
  let position: Int64

  let tokens: PageToken

  /// Returns the token of the page after a position; `nil` if there is no such page.
  func token(for next: Int64?) -> JSONValue? { next.map { .string(tokens.text(for: $0)) } }
}
