/// The entity tags in `If-None-Match` (RFC 9110, §13.1.2).
struct EntityTags: Hashable, Sendable {
  private let tags: Set<Substring>

  init(_ header: String) {
    // No tag of ours has a comma.
    tags = Set(
      header.split(separator: ",").map { part in
        let tag = part.drop { $0 == " " || $0 == "\t" }
        let end = tag.lastIndex { $0 != " " && $0 != "\t" }
        let whole = end.map { tag[...$0] } ?? ""
        // The comparison is weak.
        return whole.hasPrefix("W/") ? whole.dropFirst(2) : whole
      })
  }

  /// Whether a representation with this tag is known to the client.
  func match(_ tag: String) -> Bool { tags.contains("*") || tags.contains(tag[...]) }
}
