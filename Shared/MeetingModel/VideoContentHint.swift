/// The property that encoders should preserve under constraints; the server only forwards it.
///
/// The raw values are the facade's.
public enum VideoContentHint: Int32, CaseIterable, Hashable, Sendable {
  /// No preference.
  case none = 0
  /// Prefer frame rate.
  case motion = 1
  /// Prefer resolution.
  case detail = 2
  /// Prefer resolution and sharp edges.
  case text = 3
}
