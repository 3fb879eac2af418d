internal import CarillonClientCore

/// The size of a layer's encoded pictures.
enum LayerSize {
  /// Returns the size of the picture, scaled by the ratio of this layer to the largest layer.
  ///
  /// The picture is first reduced to the limits of the largest layer. The width and the height of
  /// the result are even unless the picture is too small.
  ///
  /// - Parameter eighths: The width and the height of the result, in eighths of their full lengths.
  static func of(
    _ layer: VideoPublication.Layer, in layers: [VideoPublication.Layer], width: Int, height: Int,
    eighths: Int = 8
  ) -> (width: Int, height: Int) {
    guard let top = layers.last, top.width > 0, top.height > 0, layer.width > 0, layer.height > 0
    else { return (width, height) }
    // If the picture's orientation differs from that of `top`, the limits of width and height are
    // swapped.
    let isUpright = (width < height) != (top.width < top.height)
    let (mostWidth, mostHeight) = isUpright ? (top.height, top.width) : (top.width, top.height)
    let fit = min(1, Double(mostWidth) / Double(width), Double(mostHeight) / Double(height))
    let share =
      min(
        1, max(Double(layer.width) / Double(top.width), Double(layer.height) / Double(top.height)))
      * Double(eighths) / 8
    return (
      even(Double(width) * fit * share, below: width),
      even(Double(height) * fit * share, below: height)
    )
  }

  private static func even(_ side: Double, below most: Int) -> Int {
    let rounded = Int(side.rounded()) & ~1
    return min(most, max(2, rounded))
  }
}
