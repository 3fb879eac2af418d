/// Text measured in the cells of a terminal.
enum TerminalText {
  /// Fits text to an exact number of cells: cut with `…`, or padded with spaces.
  ///
  /// Unprintable characters become `?`, so that a name chosen by another user cannot control the
  /// terminal.
  static func fitted(_ text: String, to width: Int) -> String {
    let cut = cut(text, to: width)
    return cut + String(repeating: " ", count: max(0, width - self.width(of: cut)))
  }

  /// Cuts text with `…` to a number of cells.
  static func cut(_ text: String, to width: Int) -> String {
    let text = printable(text)
    guard self.width(of: text) > width else { return text }
    guard width > 0 else { return "" }
    var kept = ""
    var used = 1  // The ellipsis.
    for character in text {
      used += self.width(of: character)
      guard used <= width else { break }
      kept.append(character)
    }
    return kept + "…"
  }

  /// Returns the number of cells of a printable text.
  static func width(of text: String) -> Int {
    text.reduce(0) { $0 + width(of: $1) }
  }

  /// Returns the number of cells of a character: two for East Asian scripts and emoji, as in most
  /// terminals (UAX #11), and otherwise one.
  private static func width(of character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    let isEmoji = scalar.properties.isEmojiPresentation
    return switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      2
    default: isEmoji ? 2 : 1
    }
  }

  private static func printable(_ text: String) -> String {
    var printable = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
        .unassigned:
        printable.append("?")
      default: printable.append(scalar)
      }
    }
    return String(printable)
  }
}
