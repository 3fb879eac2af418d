internal import Output

/// One line of a full-screen view.
struct ScreenLine: Hashable, Sendable {
  /// Printable, and not wider than the screen.
  let text: String
  /// `nil` for the terminal's own.
  var colour: Paint.Colour?

  func painted(_ paint: Paint) -> String {
    colour.map { paint(text, $0) } ?? text
  }
}
