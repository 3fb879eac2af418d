/// What a receiver gives up first if its link is too slow: resolution or frames.
enum VideoAdaptationPreference: Hashable, Sendable {
  /// The receiver gets a lower layer, with all frames of this layer.
  case balanced

  /// The receiver gets a lower layer only if the layer's frame rate is close to the frame rate of
  /// the fastest layer.
  case frameRate

  /// The receiver gets fewer frames of a layer before it gets a lower layer.
  case resolution
}
