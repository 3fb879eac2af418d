public import Foundation

/// The buffer of a frame whose picture is in a ``PixelBuffer``.
///
/// When the session sends the picture, the session converts the picture to three planes.
public final class VideoFramePixelBuffer: NSObject, VideoFrameBuffer, Sendable {
  /// The pixels.
  public let pixelBuffer: CVPixelBuffer

  /// Creates a buffer that wraps the pixels without a copy.
  public init(pixelBuffer: CVPixelBuffer) {
    self.pixelBuffer = pixelBuffer
  }

  public func width() -> Int { pixelBuffer.width }

  public func height() -> Int { pixelBuffer.height }

  /// The same picture in three planes.
  ///
  /// The conversion from BGRA follows ITU-R BT.601, with limited range. Each chroma value of the
  /// result is the mean of the chroma values of four pixels.
  package var i420: VideoFrameI420Buffer? {
    switch pixelBuffer.format {
    case .bgra: fromBGRA()
    case .nv12: fromNV12()
    }
  }

  private func fromNV12() -> VideoFrameI420Buffer? {
    let (width, height, stride) = (pixelBuffer.width, pixelBuffer.height, pixelBuffer.bytesPerRow)
    let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
    let bytes = pixelBuffer.bytes
    var (u, v): ([UInt8], [UInt8]) = ([], [])
    u.reserveCapacity(halfWidth * halfHeight)
    v.reserveCapacity(halfWidth * halfHeight)
    for row in 0..<halfHeight {
      let begin = (height + row) * stride
      for column in 0..<halfWidth {
        u.append(bytes[begin + 2 * column])
        v.append(bytes[begin + 2 * column + 1])
      }
    }
    return VideoFrameI420Buffer(
      width: width, height: height, dataY: Array(bytes[..<(height * stride)]), strideY: stride,
      dataU: u, strideU: halfWidth, dataV: v, strideV: halfWidth)
  }

  private func fromBGRA() -> VideoFrameI420Buffer? {
    let (width, height, stride) = (pixelBuffer.width, pixelBuffer.height, pixelBuffer.bytesPerRow)
    let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
    let bytes = pixelBuffer.bytes
    var (y, u, v): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
    y.reserveCapacity(width * height)
    u.reserveCapacity(halfWidth * halfHeight)
    v.reserveCapacity(halfWidth * halfHeight)
    for row in 0..<height {
      for column in 0..<width {
        let colour = Colour(bytes, at: row * stride + column * 4)
        y.append(UInt8(clamping: (66 * colour.r + 129 * colour.g + 25 * colour.b + 128) >> 8 + 16))
      }
    }
    for row in 0..<halfHeight {
      for column in 0..<halfWidth {
        var sum = Colour()
        // If the height is odd, the last row counts twice. If the width is odd, the last column
        // counts twice.
        for (rowStep, columnStep) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
          let place = (
            min(2 * row + rowStep, height - 1), min(2 * column + columnStep, width - 1)
          )
          sum.add(Colour(bytes, at: place.0 * stride + place.1 * 4))
        }
        u.append(UInt8(clamping: (-38 * sum.r - 74 * sum.g + 112 * sum.b + 512) >> 10 + 128))
        v.append(UInt8(clamping: (112 * sum.r - 94 * sum.g - 18 * sum.b + 512) >> 10 + 128))
      }
    }
    return VideoFrameI420Buffer(
      width: width, height: height, dataY: y, strideY: width, dataU: u, strideU: halfWidth,
      dataV: v, strideV: halfWidth)
  }

  private struct Colour {
    var (r, g, b) = (0, 0, 0)

    init() {}

    init(_ bytes: [UInt8], at index: Int) {
      (b, g, r) = (Int(bytes[index]), Int(bytes[index + 1]), Int(bytes[index + 2]))
    }

    mutating func add(_ other: Colour) { (r, g, b) = (r + other.r, g + other.g, b + other.b) }
  }
}
