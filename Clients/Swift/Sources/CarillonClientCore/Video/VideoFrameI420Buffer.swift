public import Foundation

/// A picture in three planes: luma, and two chroma planes with half the width and height of the
/// luma plane, rounded up.
public final class VideoFrameI420Buffer: NSObject, VideoFrameBuffer, Sendable {
  /// The luma plane: one byte per pixel, rows `strideY` bytes apart.
  public let dataY: [UInt8]

  /// The U plane: one byte for four pixels, rows `strideU` bytes apart.
  public let dataU: [UInt8]

  /// The V plane: one byte for four pixels, rows `strideV` bytes apart.
  public let dataV: [UInt8]

  /// The number of bytes from the start of one row of `dataY` to the start of the next row.
  public let strideY: Int

  /// The number of bytes from the start of one row of `dataU` to the start of the next row.
  public let strideU: Int

  /// The number of bytes from the start of one row of `dataV` to the start of the next row.
  public let strideV: Int
  private let size: (width: Int, height: Int)

  /// Creates a buffer from three planes.
  ///
  /// - Returns: `nil` if the width or the height is not in the range 1-16,383, if a stride is less
  ///   than the width of its plane, or if a plane has fewer bytes than its rows need.
  public init?(
    width: Int, height: Int, dataY: [UInt8], strideY: Int, dataU: [UInt8], strideU: Int,
    dataV: [UInt8], strideV: Int
  ) {
    guard (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height) else {
      return nil
    }
    let (chromaWidth, chromaHeight) = ((width + 1) / 2, (height + 1) / 2)
    guard Self.holds(dataY, width: width, height: height, stride: strideY),
      Self.holds(dataU, width: chromaWidth, height: chromaHeight, stride: strideU),
      Self.holds(dataV, width: chromaWidth, height: chromaHeight, stride: strideV)
    else { return nil }
    (self.dataY, self.dataU, self.dataV) = (dataY, dataU, dataV)
    (self.strideY, self.strideU, self.strideV) = (strideY, strideU, strideV)
    size = (width, height)
  }

  /// The largest width or height of a VP8 picture.
  private static let longestSide = 16_383

  /// Returns whether a plane has all its rows. The last row may end with its last pixel.
  private static func holds(_ plane: [UInt8], width: Int, height: Int, stride: Int) -> Bool {
    let (before, overflows) = stride.multipliedReportingOverflow(by: height - 1)
    return stride >= width && !overflows && plane.count - width >= before
  }

  /// Creates a buffer whose planes have no bytes between their rows.
  private init(width: Int, height: Int, _ planes: (y: [UInt8], u: [UInt8], v: [UInt8])) {
    size = (width, height)
    (dataY, dataU, dataV) = planes
    (strideY, strideU, strideV) = (width, (width + 1) / 2, (width + 1) / 2)
  }

  /// Returns the picture after a clockwise rotation.
  public func rotated(by rotation: VideoRotation) -> VideoFrameI420Buffer {
    guard rotation != .rotation0 else { return self }
    let chroma = (width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    let turned = rotation == .rotation180 ? size : (width: size.height, height: size.width)
    return VideoFrameI420Buffer(
      width: turned.width, height: turned.height,
      (
        Self.rotate(dataY, size, stride: strideY, by: rotation),
        Self.rotate(dataU, chroma, stride: strideU, by: rotation),
        Self.rotate(dataV, chroma, stride: strideV, by: rotation)
      ))
  }

  private static func rotate(
    _ plane: [UInt8], _ size: (width: Int, height: Int), stride: Int, by rotation: VideoRotation
  ) -> [UInt8] {
    let (width, height) = size
    var rotated: [UInt8] = []
    rotated.reserveCapacity(width * height)
    switch rotation {
    case .rotation0:
      for row in 0..<height { rotated += plane[(row * stride)..<(row * stride + width)] }
    case .rotation180:
      for row in (0..<height).reversed() {
        rotated += plane[(row * stride)..<(row * stride + width)].reversed()
      }
    case .rotation90:
      for column in 0..<width {
        for row in (0..<height).reversed() { rotated.append(plane[row * stride + column]) }
      }
    case .rotation270:
      for column in (0..<width).reversed() {
        for row in 0..<height { rotated.append(plane[row * stride + column]) }
      }
    }
    return rotated
  }

  public func width() -> Int { size.width }

  public func height() -> Int { size.height }
}
