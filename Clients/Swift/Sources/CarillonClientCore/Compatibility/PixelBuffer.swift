public import Foundation

/// A picture as cameras and screens hand it out: packed, or in two planes. It stands for Apple's
/// `CVPixelBuffer`.
public final class PixelBuffer: NSObject, Sendable {
  /// How pixels lie in memory.
  public enum Format: Sendable {
    /// Four bytes a pixel: blue, green, red, and one that is not read.
    case bgra
    /// A plane of brightness, one byte a pixel, and behind its last whole row one of colour with
    /// half its height, rounded up: two bytes, U and V, for four pixels. Of limited range.
    case nv12
  }

  /// The width in pixels.
  public let width: Int

  /// The height in pixels.
  public let height: Int

  /// How the bytes are to be read.
  public let format: Format

  /// The pixels.
  public let bytes: [UInt8]

  /// Bytes from one row to the next, in both planes.
  public let bytesPerRow: Int

  /// - Returns: `nil` if a size is not 1-16,383, a row is longer than `bytesPerRow`, or there are
  ///   fewer bytes than the rows need; the last one may end with its last pixel.
  public init?(width: Int, height: Int, format: Format, bytes: [UInt8], bytesPerRow: Int) {
    guard (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height) else {
      return nil
    }
    let (rowBytes, rows) =
      switch format {
      case .bgra: (width * 4, height)
      case .nv12: ((width + 1) / 2 * 2, height + (height + 1) / 2)
      }
    let (before, overflows) = bytesPerRow.multipliedReportingOverflow(by: rows - 1)
    guard bytesPerRow >= rowBytes, !overflows, bytes.count - rowBytes >= before else { return nil }
    (self.width, self.height, self.format) = (width, height, format)
    (self.bytes, self.bytesPerRow) = (bytes, bytesPerRow)
  }

  private static let longestSide = 16_383
}

/// What programs for Apple's systems call it.
public typealias CVPixelBuffer = PixelBuffer
