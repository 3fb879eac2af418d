internal import Output

/// A line of a full-screen view.
struct TerminalLine: Hashable, Sendable {
  /// The text, printable and not wider than the screen.
  let text: String
  /// The colour; `nil` for the terminal's default.
  var colour: TerminalColors.Colour?

  func painted(_ paint: TerminalColors) -> String {
    colour.map { paint(text, $0) } ?? text
  }
}
