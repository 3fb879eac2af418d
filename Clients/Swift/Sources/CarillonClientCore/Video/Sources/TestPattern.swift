/// A test pattern: a gradient, a moving bar, and the number of the picture.
package struct TestPattern: Sendable {
  package let width: Int
  package let height: Int
  private let slope: [UInt8]
  private let colours: (u: [UInt8], v: [UInt8])

  /// - Parameter tint: The values of the chroma planes, near 128. Each camera has different values.
  package init(width: Int, height: Int, tint: (u: UInt8, v: UInt8)) {
    (self.width, self.height) = (width, height)
    var slope: [UInt8] = []
    slope.reserveCapacity(width * height)
    for row in 0..<height {
      for column in 0..<width {
        slope.append(UInt8(48 + (column * 100 / width) + (row * 60 / height)))
      }
    }
    self.slope = slope
    let chroma = ((width + 1) / 2) * ((height + 1) / 2)
    colours = (
      [UInt8](repeating: tint.u, count: chroma), [UInt8](repeating: tint.v, count: chroma)
    )
  }

  /// Returns the picture for the given number.
  package func picture(_ number: Int) -> VideoFrameI420Buffer? {
    var luma = slope
    let side = max(2, height / 8)
    let left = number * max(1, width / 90) % max(1, width - side)
    let bar = [UInt8](repeating: 220, count: side)
    for row in (height / 2)..<min(height, height / 2 + side) {
      luma.replaceSubrange((row * width + left)..<(row * width + left + side), with: bar)
    }
    FrameCounter.draw(number, into: &luma, width: width, height: height)
    let half = (width + 1) / 2
    return VideoFrameI420Buffer(
      width: width, height: height, dataY: luma, strideY: width, dataU: colours.u, strideU: half,
      dataV: colours.v, strideV: half)
  }
}
