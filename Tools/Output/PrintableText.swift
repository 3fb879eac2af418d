/// Text that somebody else wrote, on its way to a terminal.
package enum PrintableText {
  /// The text in one line that cannot steer a terminal: what is not printable stands there as an
  /// escape of Swift, such as `\n` or `\u{1b}`.
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
    // They join and part letters and emoji; other format characters turn the direction of writing.
    case .format: scalar.value == 0x200C || scalar.value == 0x200D
    default: true
    }
  }
}
