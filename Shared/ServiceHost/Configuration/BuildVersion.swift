/// The version that every executable of this package reports.
public enum BuildVersion {
  /// The semantic version of this source tree, which `--version` and `carillon_build_info` show.
  public static let current = "0.1.0"
}
