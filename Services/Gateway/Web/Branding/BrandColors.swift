/// The operator's colors for pages with a light or a dark background.
struct BrandColors: Hashable, Sendable {
  /// The color of buttons, marks and links; `nil` to keep the page's own color.
  var accent: HexColor?

  /// The color behind everything; `nil` to keep the page's own color.
  var background: HexColor?

  /// The page's own colors, as in `Clients/Web/css/base.css`.
  struct Palette: Sendable {
    /// The colors of surfaces on which the page writes, by the names in `base.css`.
    let surfaces: [String: HexColor]

    /// The colors in which the page writes.
    let texts: [String: HexColor]

    static let light = Palette(
      surfaces: colors(["paper": 0xF6F3EC, "surface": 0xFFFDF9, "raised": 0xFFFFFF]),
      texts: colors([
        "ink": 0x1B2321, "soft": 0x57605C, "accent": 0x14594C, "brass": 0x8A5208,
        "danger": 0xA8261C,
      ]))

    static let dark = Palette(
      surfaces: colors(["paper": 0x0F1513, "surface": 0x161E1B, "raised": 0x1E2825]),
      texts: colors([
        "ink": 0xEEF1ED, "soft": 0xA5B1AB, "accent": 0x8FD6BD, "brass": 0xF0B35B,
        "danger": 0xFF9C90,
      ]))

    private static func colors(_ values: [String: UInt32]) -> [String: HexColor] {
      values.mapValues {
        HexColor(
          red: UInt8($0 >> 16 & 0xFF), green: UInt8($0 >> 8 & 0xFF), blue: UInt8($0 & 0xFF))
      }
    }
  }

  /// The lowest allowed contrast of text (WCAG 2.2, level AA).
  static let leastContrast = 4.5

  /// Two colors that are too similar for text.
  struct Conflict: Hashable {
    /// The member of the branding file, `accent` or `background`.
    let member: String
    let contrast: Double

    /// The name of the other color in `base.css`.
    let other: String
  }

  /// Returns the first conflict between one of the operator's colors and another color of the page;
  /// `nil` if there is none.
  func conflict(in palette: Palette) -> Conflict? {
    var surfaces = palette.surfaces
    if let background { surfaces["paper"] = background }
    if let accent {
      surfaces["accent-soft"] = soft(accent, in: palette)
      let found = Self.least(accent, surfaces)
      if let found { return Conflict(member: "accent", contrast: found.1, other: found.0) }
      let onButtons = accent.contrast(with: ink(on: accent))
      guard onButtons >= Self.leastContrast else {
        return Conflict(member: "accent", contrast: onButtons, other: "accent-ink")
      }
    }
    guard let background else { return nil }
    var texts = palette.texts
    if let accent { texts["accent"] = accent }
    return Self.least(background, texts).map {
      Conflict(member: "background", contrast: $0.1, other: $0.0)
    }
  }

  /// Returns declarations of custom properties. These declarations replace the declarations in
  /// `base.css`.
  func declarations(in palette: Palette) -> String {
    var lines: [String] = []
    if let background { lines.append("--paper: \(background.text);") }
    if let accent {
      lines.append("--accent: \(accent.text);")
      lines.append("--accent-ink: \(ink(on: accent).text);")
      lines.append("--accent-soft: \(soft(accent, in: palette).text);")
    }
    return lines.joined(separator: " ")
  }

  /// Returns the color among `others` with the lowest contrast to `color`, if this contrast is too
  /// low.
  private static func least(
    _ color: HexColor, _ others: [String: HexColor]
  ) -> (String, Double)? {
    others.map { ($0.key, color.contrast(with: $0.value)) }
      .filter { $0.1 < leastContrast }
      .min { ($0.1, $0.0) < ($1.1, $1.0) }
  }

  /// Returns the color of text on a button: white or nearly black.
  private func ink(on accent: HexColor) -> HexColor {
    let dark = HexColor(red: 0x08, green: 0x23, blue: 0x1C)
    return accent.contrast(with: .white) >= accent.contrast(with: dark) ? .white : dark
  }

  private func soft(_ accent: HexColor, in palette: Palette) -> HexColor {
    (palette.surfaces["surface"] ?? .white).mixed(with: accent, share: 0.14)
  }
}
