public import Foundation

/// A picture of a camera or screen, packed or in two planes. This class replaces Apple's
/// `CVPixelBuffer`.
public final class PixelBuffer: NSObject, Sendable {
  /// The layout of pixels in memory.
  public enum Format: Sendable {
    /// The format has four bytes per pixel: blue, green, red, and an unused byte.
    case bgra
    /// A luma plane with one byte per pixel, followed by a chroma plane.
    ///
    /// The chroma plane begins after the last whole luma row. The chroma plane has half the height,
    /// rounded up, and two bytes, U and V, for each block of four pixels. Values have limited
    /// range.
    case nv12
  }

  /// The width in pixels.
  public let width: Int

  /// The height in pixels.
  public let height: Int

  /// The layout of the bytes.
  public let format: Format

  /// The pixels.
  public let bytes: [UInt8]

  /// The number of bytes from the start of a row to the start of the next row, in both planes.
  public let bytesPerRow: Int

  /// Creates a buffer.
  ///
  /// - Returns: `nil` if the width or the height is not in the range 1-16,383, if a row is longer
  ///   than `bytesPerRow`, or if there are fewer bytes than the rows need. The last row may end
  ///   with its last pixel.
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

/// The name of `PixelBuffer` on Apple's systems.
public typealias CVPixelBuffer = PixelBuffer
