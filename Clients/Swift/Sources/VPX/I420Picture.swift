/// A picture in three planes: one plane of brightness, and two planes of colour. The planes of
/// colour have half the width and height, rounded up.
public struct I420Picture: Sendable {
  /// The width in pixels, 1-16,383.
  public let width: Int

  /// The height in pixels, 1-16,383.
  public let height: Int

  /// The brightness, one byte per pixel.
  public let y: I420Plane

  /// The first plane of colour, one byte per four pixels.
  public let u: I420Plane

  /// The second plane of colour, one byte per four pixels.
  public let v: I420Plane

  /// - Returns: `nil` if a size is out of range, or if a plane has too few bytes for its pixels.
  public init?(width: Int, height: Int, y: I420Plane, u: I420Plane, v: I420Plane) {
    guard (1...16_383).contains(width), (1...16_383).contains(height) else { return nil }
    let (chromaWidth, chromaHeight) = ((width + 1) / 2, (height + 1) / 2)
    guard y.holds(width: width, height: height), u.holds(width: chromaWidth, height: chromaHeight),
      v.holds(width: chromaWidth, height: chromaHeight)
    else { return nil }
    (self.width, self.height) = (width, height)
    (self.y, self.u, self.v) = (y, u, v)
  }

  /// Returns the picture in a smaller size.
  ///
  /// - Returns: `nil` if the width or the height would increase, or would be less than one pixel.
  public func shrunk(toWidth newWidth: Int, height newHeight: Int) -> I420Picture? {
    guard (1...width).contains(newWidth), (1...height).contains(newHeight) else { return nil }
    if newWidth == width, newHeight == height { return self }
    let (half, newHalf) = (
      ((width + 1) / 2, (height + 1) / 2), ((newWidth + 1) / 2, (newHeight + 1) / 2)
    )
    return I420Picture(
      width: newWidth, height: newHeight,
      y: y.shrunk(from: (width, height), to: (newWidth, newHeight)),
      u: u.shrunk(from: half, to: newHalf), v: v.shrunk(from: half, to: newHalf))
  }
}
