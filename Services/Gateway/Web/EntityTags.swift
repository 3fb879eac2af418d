/// The entity tags in `If-None-Match` (RFC 9110, §13.1.2).
struct EntityTags: Hashable, Sendable {
  private let tags: Set<Substring>

  init(_ header: String) {
    // The gateway's own tags contain no comma, so this code can split the header at commas.
    tags = Set(
      header.split(separator: ",").map { part in
        let tag = part.drop { $0 == " " || $0 == "\t" }
        let end = tag.lastIndex { $0 != " " && $0 != "\t" }
        let whole = end.map { tag[...$0] } ?? ""
        // `If-None-Match` uses weak comparison, which ignores the prefix `W/`.
        return whole.hasPrefix("W/") ? whole.dropFirst(2) : whole
      })
  }

  /// Returns whether the client already has the representation with this tag.
  func match(_ tag: String) -> Bool { tags.contains("*") || tags.contains(tag[...]) }
}
