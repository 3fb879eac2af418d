internal import Foundation

/// The colours of ECMA-48, for capable terminals.
package enum TerminalColors: Hashable, Sendable {
  case plain
  case coloured

  package enum Colour: Int, CaseIterable {
    case red = 31
    case green = 32
    case yellow = 33
    case blue = 34
    case magenta = 35
    case cyan = 36
  }

  /// Uses colours if the descriptor is a capable terminal and `NO_COLOR` is unset or empty.
  package init(for descriptor: Int32, environment: [String: String]) {
    self.init(isTerminal: isatty(descriptor) == 1, environment)
  }

  init(isTerminal: Bool, _ environment: [String: String]) {
    let wantsColour =
      isTerminal && TerminalType(in: environment) == .capable
      && (environment["NO_COLOR"] ?? "").isEmpty
    self = wantsColour ? .coloured : .plain
  }

  package func callAsFunction(_ text: String, _ colour: Colour) -> String {
    switch self {
    case .plain: text
    case .coloured: "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m"
    }
  }
}
