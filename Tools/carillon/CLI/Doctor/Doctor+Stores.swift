internal import Bus
internal import Foundation
internal import LocalInstallation
internal import Secrets

extension Doctor {
  /// Checks the data directory, the gateway's store in this directory, and the installation's key.
  ///
  /// Does not open the store. The gateway's readiness and the round trip show whether the gateway
  /// can use the store.
  func storeFindings(gateway: RegisteredInstance?) -> [Finding] {
    let process = gateway.flatMap { self.process(of: $0).visible }
    let store = "/\(Self.store)"
    if let open = process?.openFile(endingIn: "\(store) (deleted)") {
      return [
        Finding(
          .store, String(open.dropLast(" (deleted)".count)),
          .failed(
            """
            another program deleted it, but the gateway still uses it: new meetings are lost when \
            the gateway stops
            """,
            remedy: "stop the gateway, restore the file from a backup, and start the gateway again")
        )
      ]
    }
    let opened = process?.openFile(endingIn: store).map { String($0.dropLast(store.count)) }
    guard let data = dataDirectory ?? opened ?? usualDataDirectory else {
      return [
        Finding(
          .store, Self.store,
          .skipped("no gateway reports where it is; name its directory with --data-dir"))
      ]
    }
    let key =
      tokenKeyFile ?? process?.path(ofFlag: "token-key-file")
      ?? environment["CARILLON_TOKEN_KEY_FILE"] ?? "\(data)/token.key"
    return [
      Finding(.dataDirectory, data, directoryOutcome(data)),
      Finding(.store, data + store, storeOutcome(data + store)),
      Finding(.tokenKey, key, keyOutcome(key, isRunning: gateway != nil)),
    ]
  }

  /// The file name of the gateways' store.
  private static let store = "meetings.sqlite"

  /// The size of the installation's key in bytes.
  private static let keySize = 32

  /// The default directory of the gateways' store, if it exists.
  private var usualDataDirectory: String? {
    DataDirectory.candidates(in: environment)
      .first { FileAttributes(at: "\($0)/\(Self.store)") != nil }
  }

  private func directoryOutcome(_ path: String) -> Finding.Outcome {
    guard let facts = FileAttributes(following: path), facts.kind == .directory else {
      return .failed(
        "the directory does not exist", remedy: "name the gateway's data directory with --data-dir")
    }
    if let finding = ownership(of: path, facts) { return finding }
    guard facts.mode & 0o022 == 0 else {
      return .failed(
        "its mode is \(facts.octalMode): other users may write to it", remedy: "chmod 0700 \(path)")
    }
    return .ok("this user's, mode \(facts.octalMode)")
  }

  private func storeOutcome(_ path: String) -> Finding.Outcome {
    guard let facts = FileAttributes(following: path), facts.kind == .regular else {
      return .failed(
        "the file does not exist",
        remedy: "restore it from a backup, or start the gateway, which creates an empty one")
    }
    return privacy(of: path, facts)
  }

  private func keyOutcome(_ path: String, isRunning: Bool) -> Finding.Outcome {
    guard let facts = FileAttributes(following: path), facts.kind == .regular else {
      let gateway =
        isRunning ? "the gateway keeps the key that it has read, but" : "the gateway has no key:"
      return .failed(
        """
        it is missing: \(gateway) its next start makes a new key, and all join tokens and access \
        keys become invalid
        """,
        remedy: "restore it from a backup before the gateway starts")
    }
    guard facts.size == Self.keySize else {
      return .failed(
        "it has \(facts.size) bytes instead of \(Self.keySize)",
        remedy:
          """
          restore the right key from a backup; with a new key, all join tokens and access keys \
          are invalid
          """)
    }
    do throws(SecretFileError) {
      _ = try SecretFile(path, for: .owner, limit: Self.keySize)
    } catch {
      let outcome = privacy(of: path, facts)
      // The file is unsafe. If its owner and permissions are correct, the cause must be an unsafe
      // link in its path.
      guard case .ok = outcome else { return outcome }
      return .failed(
        error.problem,
        remedy: "keep the key, and links to it, in directories to which no other user may write")
    }
    // Orchestrators mount the file as a file that root owns and that a group of this user may read.
    guard facts.owner == user || facts.owner != 0 else {
      return .ok("root's, mode \(facts.octalMode), and the services may read it")
    }
    return privacy(of: path, facts)
  }

  /// Checks that a file belongs to this user and is private.
  private func privacy(of path: String, _ facts: FileAttributes) -> Finding.Outcome {
    if let finding = ownership(of: path, facts) { return finding }
    guard facts.mode & 0o077 == 0 else {
      return .failed(
        "its mode is \(facts.octalMode): other users may use it", remedy: "chmod 0600 \(path)")
    }
    return .ok("this user's, mode \(facts.octalMode)")
  }

  /// Returns the finding about another user's file; `nil` for a file of this user.
  private func ownership(of path: String, _ facts: FileAttributes) -> Finding.Outcome? {
    guard facts.owner != user else { return nil }
    return .failed(
      "it belongs to user \(facts.owner), and this is user \(user)",
      remedy: "chown \(user) \(path), or run this command as user \(facts.owner)")
  }
}
