internal import ArgumentParser
internal import Foundation
internal import MeetingModel
internal import Output
internal import Storage

/// The command `carillon webhooks`.
struct WebhooksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "webhooks",
    abstract: "Manages the webhooks that receive events of meetings.",
    discussion: """
      The gateway posts each event as signed JSON, in order for each meeting, and repeats it until \
      the receiver accepts it.
      """,
    subcommands: [
      Add.self, List.self, Enable.self, Disable.self, Remove.self, Replay.self,
    ])
}

extension WebhooksCommand {
  /// The command `carillon webhooks add`.
  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Adds a receiver, and shows the secret that signs its events.",
      discussion: "If the receiver exists, the command shows it without its secret.")

    @Argument(help: "URL to which events are posted, http(s)://HOST[:PORT][/PATH].")
    var url: String
    @OptionGroup var records: MeetingRecordsOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
      guard let parts = URL(string: url), ["http", "https"].contains(parts.scheme?.lowercased()),
        parts.host()?.isEmpty == false, url.utf8.count <= 1_024
      else {
        throw ValidationError(
          "The URL must be http(s)://HOST[:PORT][/PATH], of at most 1024 bytes; got \(url).")
      }
    }

    func run() async throws {
      try await output.reportingFailure {
        let added = try await records.store().addWebhook(
          at: url, now: Int64(WallClock.nowMs))
        var record = OutputRecord(added.webhook)
        if let secret = added.secret {
          record["secret"] = .text("whsec_" + Data(secret).base64EncodedString())
        }
        output.print(record)
      }
    }
  }

  /// The command `carillon webhooks list`.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the receivers with their queued and dropped events and their last error.")

    @OptionGroup var records: MeetingRecordsOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      try await output.reportingFailure {
        output.print(try await records.store().webhooks().map { OutputRecord($0) })
      }
    }
  }

  /// The command `carillon webhooks enable`.
  struct Enable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Enables a receiver. Its queued events are sent first.")

    @OptionGroup var webhook: WebhookArgument

    func run() async throws {
      try await webhook.change { try await $0.setWebhook($1, isEnabled: true) }
    }
  }

  /// The command `carillon webhooks disable`.
  struct Disable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Disables a receiver. Its events are queued.")

    @OptionGroup var webhook: WebhookArgument

    func run() async throws {
      try await webhook.change { try await $0.setWebhook($1, isEnabled: false) }
    }
  }

  /// The command `carillon webhooks remove`.
  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Removes a receiver and its queued events.")

    @OptionGroup var webhook: WebhookArgument

    func run() async throws {
      try await webhook.change { store, id in
        let webhook = try await store.webhook(id)
        try await store.deleteWebhook(id)
        return webhook
      }
    }
  }

  /// The command `carillon webhooks replay`.
  struct Replay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Sends a meeting's events to a receiver again, in order.")

    @OptionGroup var webhook: WebhookArgument
    @Option(help: "The meeting's id.", transform: { text in try MeetingID(text) })
    var meeting: MeetingID
    @Option(help: "Sequence number of the first event.") var from: Int64 = 1

    func validate() throws {
      if from < 1 { throw ValidationError("--from must be at least 1; got \(from).") }
    }

    func run() async throws {
      try await webhook.change { store, id in
        _ = try await store.replay(of: meeting, from: from, to: id)
        return try await store.webhook(id)
      }
    }
  }
}

/// The argument that selects a receiver.
struct WebhookArgument: ParsableArguments {
  @Argument(help: "The receiver's id, from carillon webhooks list.") var id: String
  @OptionGroup var records: MeetingRecordsOptions
  @OptionGroup var output: OutputOptions

  /// Changes the receiver, and prints the changed receiver.
  func change(_ body: (MeetingStore, String) async throws -> Webhook) async throws {
    try await output.reportingFailure {
      output.print(OutputRecord(try await body(records.store(), id)))
    }
  }
}

extension OutputRecord {
  /// Creates the record of a receiver of events.
  fileprivate init(_ webhook: Webhook) {
    self = [
      "webhook_id": .text(webhook.id), "url": .text(webhook.url),
      "is_enabled": .bool(webhook.isEnabled),
      "created_at_ms": .integer(Int(webhook.createdAt)),
      "pending": .integer(Int(webhook.pending)), "dropped": .integer(Int(webhook.dropped)),
      "failing_since_ms": webhook.failure.map { .integer(Int($0.since)) } ?? .null,
      "problem": webhook.failure.map { .text($0.problem) } ?? .null,
    ]
  }
}
