/// The version every executable of this package reports.
public enum BuildVersion {
  /// Semantic version of this source tree; shown by `--version` and in `carillon_build_info`.
  public static let current = "0.1.0"
}
