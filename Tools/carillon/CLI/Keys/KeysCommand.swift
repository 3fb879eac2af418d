internal import ArgumentParser
internal import MeetingModel
internal import Output
internal import Signing
internal import Storage

/// The command `carillon keys`.
struct KeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Manages the keys that sign REST requests, and the keys that connect over tcp.",
    discussion: """
      create, list and disable change the file of access keys; gateways notice a change at once. \
      SDKs and the aws command take what create prints as AWS_ACCESS_KEY_ID and \
      AWS_SECRET_ACCESS_KEY.

      init, allow, revoke and allowed change the keys with which hosts and clients connect over \
      tcp with CURVE; services notice a change within two seconds.
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
  /// The command `carillon keys create`.
  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract:
        "Creates an access key, and shows it with its secret. No other command shows the secret.")

    @Argument(help: "Name of the key: 1-64 letters, digits, . _ -.")
    var name: String
    @Option(
      help: """
        Rights of the key: all, create-only (meetings and attendees), or read-only (including join \
        tokens).
        """,
      transform: KeysCommand.role)
    var role = AccessRole.all
    @Option(help: "Tenant id to whose meetings the key is limited. Default: all meetings.")
    var tenant: String?
    @OptionGroup var keys: AccessKeyStoreOptions

    func run() async throws {
      try await keys.output.reportingFailure {
        let tenant = try tenant.map { try TenantID($0) }
        let file = try keys.file()
        let key = try AccessKeyStoreOptions.reporting {
          try file.create(name, role: role, tenant: tenant, at: Int64(WallClock.nowMs))
        }
        var record = OutputRecord(key)
        record["secret_access_key"] = .text(file.secret(of: key.id).text)
        keys.output.print(record)
      }
    }
  }

  /// The command `carillon keys list`.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists all access keys without their secrets, in the order of their creation.")

    @OptionGroup var keys: AccessKeyStoreOptions

    func run() async throws {
      try await keys.output.reportingFailure {
        let file = try keys.file()
        keys.output.print(
          try AccessKeyStoreOptions.reporting { try file.keys() }.map { OutputRecord($0) })
      }
    }
  }

  /// The command `carillon keys disable`.
  struct Disable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Disables an access key permanently, from the next request on.")

    @Argument(help: "The access key id.")
    var accessKeyID: String
    @OptionGroup var keys: AccessKeyStoreOptions

    func run() async throws {
      try await keys.output.reportingFailure {
        let file = try keys.file()
        keys.output.print(
          OutputRecord(try AccessKeyStoreOptions.reporting { try file.disable(accessKeyID) }))
      }
    }
  }
}

extension OutputRecord {
  /// Creates the printed record of an access key.
  fileprivate init(_ key: AccessKey) {
    self = [
      "access_key_id": .text(key.id), "name": .text(key.name), "role": .text(key.role.rawValue),
      "tenant": .text(key.tenant?.text ?? ""), "is_enabled": .bool(key.isEnabled),
      "created_at_ms": JSONValue.integer(Int(clamping: key.createdAtMs)),
    ]
  }
}
