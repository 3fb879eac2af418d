import Foundation

/// An opaque color in sRGB, as in `#14594c`.
struct HexColor: Hashable, Sendable {
  let red: UInt8
  let green: UInt8
  let blue: UInt8

  static let white = HexColor(red: 255, green: 255, blue: 255)

  init(red: UInt8, green: UInt8, blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// Reads `#` and six hexadecimal digits; otherwise returns `nil`.
  init?(_ text: String) {
    let digits = text.utf8.dropFirst()
    guard text.utf8.count == 7, text.hasPrefix("#"),
      digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
      let value = UInt32(text.dropFirst(), radix: 16)
    else { return nil }
    self.init(
      red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
  }

  /// The color as `#` and six digits.
  var text: String {
    "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Returns the contrast ratio of two colors, 1-21 (WCAG 2.2, "contrast ratio").
  func contrast(with other: HexColor) -> Double {
    let (bright, dark) = (max(luminance, other.luminance), min(luminance, other.luminance))
    return (bright + 0.05) / (dark + 0.05)
  }

  /// Returns the mixture of this color and another color.
  ///
  /// - Parameter share: The share of the other color, 0-1.
  func mixed(with other: HexColor, share: Double) -> HexColor {
    func mix(_ own: UInt8, _ other: UInt8) -> UInt8 {
      UInt8((Double(own) * (1 - share) + Double(other) * share).rounded())
    }
    return HexColor(
      red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
  }

  /// The relative luminance, 0-1 (WCAG 2.2).
  private var luminance: Double {
    func linear(_ value: UInt8) -> Double {
      let part = Double(value) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }
}
