/// The capability of a terminal, according to the terminal type in `TERM` (see terminfo(5)).
package enum TerminalType: Hashable, Sendable {
  /// The terminal shows text and interprets no escape sequences.
  ///
  /// This case also covers terminals of unknown types, for example if `TERM` is unset or empty.
  case dumb
  /// The terminal understands the colours and cursor movements of ECMA-48.
  case capable

  package init(in environment: [String: String]) {
    let name = environment["TERM"] ?? ""
    self = name.isEmpty || name == "dumb" ? .dumb : .capable
  }
}
