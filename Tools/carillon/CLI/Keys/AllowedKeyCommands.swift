internal import ArgumentParser
internal import Bus
internal import Foundation
internal import MeetingModel
internal import Output
internal import ZeroMQ

// The commands for the keys of hosts and clients that may connect over tcp. The REST interface has
// separate keys.
extension KeysCommand {
  /// The command `carillon keys init`.
  struct Init: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Creates the key that identifies this host to other hosts, and its allow-list.",
      discussion: """
        Run this command once on each host. service.key must stay on its host. The command prints \
        the public key KEY: on each other host, run carillon keys allow service KEY NAME. Quote \
        keys in a shell.
        """)

    @Option(help: "Name of the key in allow-lists. Default: this machine's name.")
    var name: String?
    @OptionGroup var keys: KeyDirectoryOptions

    func run() async throws {
      try await keys.output.reportingFailure {
        let directory = keys.directory
        try FileManager.default.createDirectory(
          atPath: (directory.path as NSString).deletingLastPathComponent,
          withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let key = try directory.makeKeys(named: name ?? Self.machineName)
        var record = OutputRecord(key)
        record["key_dir"] = .text(directory.path)
        keys.output.print(record)
      }
    }

    private static var machineName: String {
      let name = ProcessInfo.processInfo.hostName.prefix(64)
        .filter { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
      return name.isEmpty ? "host" : String(name)
    }
  }

  /// The command `carillon keys allow`.
  struct Allow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Allows a public key to connect over tcp. Services need no restart.",
      discussion: """
        If the allow-list contains the key of at least one client, gateways refuse clients whose \
        keys the allow-list does not contain.
        """)

    @Argument(
      help: """
        Role of the key: service (services of other hosts), client (a gateway's port) or operator.
        """,
      transform: PeerKeyRole.named)
    var role: PeerKeyRole
    @Argument(help: "The public key, 40 characters in Z85; put it in quotes.")
    var key: String
    @Argument(help: "Name of the key's owner: 1-64 letters, digits, . _ -.")
    var name: String
    @OptionGroup var keys: KeyDirectoryOptions

    func validate() throws {
      guard CurveKey(text: key) != nil else {
        throw ValidationError("KEY must be 40 characters of Z85; got \(key).")
      }
    }

    func run() async throws {
      try await keys.output.reportingFailure {
        guard let key = CurveKey(text: key) else { return }
        let entry = try AllowListEntry(role, key, name: name)
        try keys.directory.change { (list) throws(KeyError) in try list.allow(entry) }
        keys.output.print(OutputRecord(entry))
      }
    }
  }

  /// The command `carillon keys revoke`.
  struct Revoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Revokes a public key, and closes its connections within seconds.",
      discussion:
        "Run this command on each host that allows the key. The list keeps the key as revoked."
    )

    @Argument(help: "The key's name.")
    var name: String
    @OptionGroup var keys: KeyDirectoryOptions

    func run() async throws {
      try await keys.output.reportingFailure {
        let entry = try keys.directory.change { (list) throws(KeyError) in try list.revoke(name) }
        keys.output.print(OutputRecord(entry))
      }
    }
  }

  /// The command `carillon keys allowed`.
  struct Allowed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the keys that may connect over tcp, and the revoked keys.")

    @OptionGroup var keys: KeyDirectoryOptions

    func run() async throws {
      try await keys.output.reportingFailure {
        let list = try keys.directory.list()
        keys.output.print(list.keys.map { OutputRecord($0) })
        guard list.faults.isEmpty else {
          let lines = list.faults.map(String.init).joined(separator: ", ")
          throw CommandFailure.precondition(
            "\(keys.directory.listPath), line \(lines): this line is unreadable; it admits no key."
          )
        }
      }
    }
  }
}

extension PeerKeyRole {
  fileprivate static func named(_ text: String) throws -> PeerKeyRole {
    guard let role = PeerKeyRole(rawValue: text) else {
      let roles = PeerKeyRole.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("It must be one of \(roles); got \(text).")
    }
    return role
  }
}

extension OutputRecord {
  /// Creates the printed record of a key that may connect over tcp.
  fileprivate init(_ entry: AllowListEntry) {
    self = [
      "name": .text(entry.name), "role": .text(entry.role.rawValue), "key": .text(entry.key.text),
      "is_revoked": .bool(entry.isRevoked),
    ]
  }
}
