internal import CarillonClientCore

/// The size in which a layer of a picture is encoded.
enum LayerSize {
  /// The share of the picture that the layer is of its publication's largest one, and never more
  /// than that one allows. Even in both directions where there is room.
  ///
  /// - Parameter eighths: The sides, as eighths of what they would be.
  static func of(
    _ layer: MediaPublication.Layer, in layers: [MediaPublication.Layer], width: Int, height: Int,
    eighths: Int = 8
  ) -> (width: Int, height: Int) {
    guard let top = layers.last, top.width > 0, top.height > 0, layer.width > 0, layer.height > 0
    else { return (width, height) }
    // A picture on its side has the same limits, turned.
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
