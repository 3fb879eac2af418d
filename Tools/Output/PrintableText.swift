/// Makes text from other users safe to print on a terminal.
package enum PrintableText {
  /// Returns the text in one line that cannot control a terminal.
  ///
  /// Unprintable characters become Swift escapes, such as `\n` or `\u{1b}`.
  package static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      case "\t": escaped += "\\t"
      case _ where isPrintable(scalar): escaped.unicodeScalars.append(scalar)
      default: escaped += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    // These two characters join and separate letters and emoji. Other format characters change the
    // text direction.
    case .format: scalar.value == 0x200C || scalar.value == 0x200D
    default: true
    }
  }
}
