/// The rights of a visitor who comes from the page.
enum PageVisit: Hashable, Sendable {
  /// A visitor without a key, who may join meetings in progress by their name.
  case guest

  /// A visitor whom the lobby admits, who may start meetings too.
  case host
}
