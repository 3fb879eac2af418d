/// A search for the known name that is nearest to a misspelt name.
enum NameSuggestion {
  /// Returns the known name that differs from `name` by the fewest edits; `nil` if more than a
  /// third of the letters differ.
  static func nearest(to name: String, among names: [String]) -> String? {
    let ranked = names.map { (name: $0, edits: edits(from: name, to: $0)) }
    guard let best = ranked.min(by: { $0.edits < $1.edits }),
      best.edits <= max(2, best.name.utf8.count / 3)
    else { return nil }
    return best.name
  }

  /// Returns the number of bytes to add, remove or replace to turn one text into the other.
  static func edits(from text: String, to other: String) -> Int {
    let target = Array(other.utf8)
    var row = Array(0...target.count)
    for (index, byte) in text.utf8.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in target.indices {
        let replaced = diagonal + (byte == target[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
      }
    }
    return row[target.count]
  }
}
