/// What a terminal can do, by the type that `TERM` names; terminfo(5).
package enum TerminalType: Hashable, Sendable {
  /// It shows text, and no escape sequence means anything to it. A terminal of no known type counts
  /// as one, for example where `TERM` is unset or empty.
  case dumb
  /// It understands the colours and cursor movements of ECMA-48.
  case capable

  package init(in environment: [String: String]) {
    let name = environment["TERM"] ?? ""
    self = name.isEmpty || name == "dumb" ? .dumb : .capable
  }
}
