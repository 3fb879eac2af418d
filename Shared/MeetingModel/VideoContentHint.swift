/// The property of a video that encoders should preserve when the link is limited. The server only
/// forwards the hint.
///
/// The raw values are those of the client libraries' facade.
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
