/// What a receiver gives up first if its link is too slow for the whole source.
enum VideoAdaptationPreference: Hashable, Sendable {
  /// The receiver gets a lower layer, with all frames of this layer.
  case balanced

  /// The receiver gets a lower layer, but none with a clearly lower frame rate than the fastest
  /// layer.
  case frameRate

  /// The receiver gets fewer frames before it gets a lower layer.
  case resolution
}
