/// The capability of a terminal by the type in `TERM`; terminfo(5).
package enum TerminalType: Hashable, Sendable {
  /// The terminal shows text and interprets no escape sequences.
  ///
  /// This type treats a terminal of an unknown type as such a terminal, for example if `TERM` is
  /// unset or empty.
  case dumb
  /// The terminal understands the colours and cursor movements of ECMA-48.
  case capable

  package init(in environment: [String: String]) {
    let name = environment["TERM"] ?? ""
    self = name.isEmpty || name == "dumb" ? .dumb : .capable
  }
}
