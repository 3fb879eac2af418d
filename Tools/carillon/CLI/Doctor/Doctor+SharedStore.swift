internal import PostgreSQL

extension Doctor {
  /// Checks the PostgreSQL server that several machines share, and the durability of the server's
  /// commits.
  func finding(of store: PostgresAddress) -> Finding {
    do {
      return Finding(.store, "\(store)", outcome(try PostgresDurability.read(from: store)))
    } catch {
      return Finding(
        .store, "\(store)",
        .failed(
          "it does not answer: \(error)",
          remedy:
            """
            check that PostgreSQL runs and accepts this user; until it answers, the gateways \
            refuse new meetings
            """
        ))
    }
  }

  /// The oldest major version that supports the stores' SQL.
  private static let oldestVersion = 13

  private func outcome(_ facts: PostgresDurability) -> Finding.Outcome {
    guard facts.versionNumber >= Self.oldestVersion * 10_000 else {
      return .failed(
        "PostgreSQL \(facts.version) is too old",
        remedy: "use version \(Self.oldestVersion) or later")
    }
    guard !facts.isStandby else {
      return .failed(
        "it is a standby and accepts no writes",
        remedy: "name the primary, or all servers with target_session_attrs=read-write")
    }
    guard facts.waitsForDisk else {
      return .failed(
        "fsync is off: a power failure can lose acknowledged changes", remedy: "set fsync = on")
    }
    return .ok(
      "PostgreSQL \(facts.version), synchronous_commit \(commits(facts)), \(standbys(facts))")
  }

  private func commits(_ facts: PostgresDurability) -> String {
    guard ["off", "local"].contains(facts.synchronousCommit) else { return facts.synchronousCommit }
    return "\(facts.synchronousCommit) (on for these stores)"
  }

  private func standbys(_ facts: PostgresDurability) -> String {
    guard !facts.synchronousStandbys.isEmpty else {
      return "no synchronous standby: each acknowledged change is on one disk only"
    }
    let isWaiting = facts.standbysInSync == 0 ? ", and none is connected: commits wait" : ""
    return "\(facts.standbysInSync) of \(facts.synchronousStandbys) in sync\(isWaiting)"
  }
}
