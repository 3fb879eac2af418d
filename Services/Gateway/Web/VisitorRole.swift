/// The rights of a visitor of the page.
enum VisitorRole: Hashable, Sendable {
  /// A visitor without a key. The visitor may join existing meetings by their name.
  case guest

  /// A visitor whom the lobby admits. The visitor may also start meetings.
  case host
}
