/// The version that `carillon --version` shows.
enum CarillonVersion {
  /// Semantic version of this source tree.
  static let current = "0.1.0"
}
