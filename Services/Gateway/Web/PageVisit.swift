/// How somebody comes by the page.
enum PageVisit: Hashable, Sendable {
  /// Without a key: joins meetings that run, by their name.
  case guest

  /// As the lobby wants it: starts meetings, too.
  case host
}
