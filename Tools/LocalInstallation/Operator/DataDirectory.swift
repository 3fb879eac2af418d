/// Where an installation keeps what must survive a restart: the same rules as its services follow.
package enum DataDirectory {
  /// Where data is if no flag says so, best first.
  package static func candidates(in environment: [String: String]) -> [String] {
    [
      environment["CARILLON_DATA_DIR"], "/var/lib/carillon",
      environment["XDG_STATE_HOME"].map { "\($0)/carillon" },
      environment["HOME"].map { "\($0)/.local/state/carillon" },
    ].compactMap(\.self)
  }
}
