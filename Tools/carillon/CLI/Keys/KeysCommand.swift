internal import ArgumentParser
internal import MeetingModel
internal import Output
internal import Signing
internal import Storage

/// `carillon keys`.
struct KeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Keys that REST requests are signed with, and keys that connect over tcp.",
    discussion: """
      create, list and disable work on the file of access keys; gateways notice a change at once. \
      SDKs and the command line of the published interface take what create prints as \
      AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.

      init, allow, revoke and allowed work on the keys by which hosts, and clients that are \
      listed, connect over tcp with CURVE; services notice a change within two seconds.
      """,
    subcommands: [
      Create.self, List.self, Disable.self, Init.self, Allow.self, Revoke.self, Allowed.self,
    ])

  fileprivate static func role(_ text: String) throws -> AccessRole {
    guard let role = AccessRole(rawValue: text) else {
      let roles = AccessRole.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("It must be one of \(roles); got \(text).")
    }
    return role
  }
}

extension KeysCommand {
  /// `carillon keys create`.
  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Makes a key and shows it with its secret, which is shown nowhere else.")

    @Argument(help: "What the key is called: 1-64 letters, digits, . _ -.")
    var name: String
    @Option(
      help: """
        What it may be used for: all, create-only (meetings and attendees) or read-only, which \
        reads join tokens too.
        """,
      transform: KeysCommand.role)
    var role = AccessRole.all
    @Option(help: "The tenant id whose meetings it is for. Default: all meetings.")
    var tenant: String?
    @OptionGroup var keys: KeyFileOptions

    func run() async throws {
      try await keys.output.reportingFailure {
        let tenant = try tenant.map { try TenantID($0) }
        let file = try keys.file()
        let key = try KeyFileOptions.reporting {
          try file.create(name, role: role, tenant: tenant, at: Int64(WallClock.nowMs))
        }
        var record = Record(key)
        record["secret_access_key"] = .text(file.secret(of: key.id).text)
        keys.output.print(record)
      }
    }
  }

  /// `carillon keys list`.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists all keys, without their secrets, in the order in which they were made.")

    @OptionGroup var keys: KeyFileOptions

    func run() async throws {
      try await keys.output.reportingFailure {
        let file = try keys.file()
        keys.output.print(try KeyFileOptions.reporting { try file.keys() }.map { Record($0) })
      }
    }
  }

  /// `carillon keys disable`.
  struct Disable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Makes a key useless, from the next request on and for good.")

    @Argument(help: "The key's access key id.")
    var accessKeyID: String
    @OptionGroup var keys: KeyFileOptions

    func run() async throws {
      try await keys.output.reportingFailure {
        let file = try keys.file()
        keys.output.print(Record(try KeyFileOptions.reporting { try file.disable(accessKeyID) }))
      }
    }
  }
}

extension Record {
  /// Creates the printed record of an access key.
  fileprivate init(_ key: AccessKey) {
    self = [
      "access_key_id": .text(key.id), "name": .text(key.name), "role": .text(key.role.rawValue),
      "tenant": .text(key.tenant?.text ?? ""), "is_enabled": .bool(key.isEnabled),
      "created_at_ms": JSONValue.integer(Int(clamping: key.createdAtMs)),
    ]
  }
}
