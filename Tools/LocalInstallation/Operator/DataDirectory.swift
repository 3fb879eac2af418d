/// Finds the directory of persistent data by the same rules as the services.
package enum DataDirectory {
  /// Returns the default directories, in order of preference.
  package static func candidates(in environment: [String: String]) -> [String] {
    [
      environment["CARILLON_DATA_DIR"], "/var/lib/carillon",
      environment["XDG_STATE_HOME"].map { "\($0)/carillon" },
      environment["HOME"].map { "\($0)/.local/state/carillon" },
    ].compactMap(\.self)
  }
}
