import Foundation
import MeetingModel
import Storage

// Receivers of events: who is told, and from where on.
extension RESTFace {
  func listWebhooks() async throws(RESTError) -> RESTResponse {
    let webhooks = try await stored { () async throws(StorageError) in
      try await control.store.webhooks()
    }
    return RESTResponse(.ok, .object(["Webhooks": .array(webhooks.map { JSONValue($0) })]))
  }

  /// The only answer that has the secret.
  func createWebhook(_ request: RESTRequest) async throws(RESTError) -> RESTResponse {
    let members = JSONMembers(try Self.object(in: request))
    let url = try members.required("Url", members.string("Url"))
    guard Self.isReceiver(url) else {
      throw members.wrong("Url", "must be http(s)://HOST[:PORT][/PATH], at most 1024 characters")
    }
    let (webhook, secret) = try await stored { () async throws(StorageError) in
      try await control.store.addWebhook(at: url, now: control.settings.now())
    }
    return RESTResponse(
      .ok,
      .object([
        "Webhook": JSONValue(webhook),
        "Secret": .string("whsec_" + Data(secret).base64EncodedString()),
      ]))
  }

  func getWebhook(_ id: String) async throws(RESTError) -> RESTResponse {
    let webhook = try await stored { () async throws(StorageError) in
      try await control.store.webhook(id)
    }
    return RESTResponse(.ok, .object(["Webhook": JSONValue(webhook)]))
  }

  func setWebhook(_ request: RESTRequest, _ id: String) async throws(RESTError) -> RESTResponse {
    let members = JSONMembers(try Self.object(in: request))
    let isEnabled = try members.required("Enabled", members.flag("Enabled"))
    let webhook = try await stored { () async throws(StorageError) in
      try await control.store.setWebhook(id, isEnabled: isEnabled)
    }
    return RESTResponse(.ok, .object(["Webhook": JSONValue(webhook)]))
  }

  func deleteWebhook(_ id: String) async throws(RESTError) -> RESTResponse {
    try await stored { () async throws(StorageError) in
      try await control.store.deleteWebhook(id)
    }
    return RESTResponse(.noContent)
  }

  func replayWebhook(_ request: RESTRequest, _ id: String) async throws(RESTError) -> RESTResponse {
    let members = JSONMembers(try Self.object(in: request))
    let meeting = try members.required(
      "MeetingId",
      members.text("MeetingId") { text throws(ModelError) in try MeetingID(text) })
    let sequence = try members.integer("FromSequence") ?? 1
    guard sequence >= 1 else { throw members.wrong("FromSequence", "must be at least 1") }
    let count = try await stored { () async throws(StorageError) in
      try await control.store.replay(of: meeting, from: Int64(sequence), to: id)
    }
    return RESTResponse(.ok, .object(["Added": .integer(Int64(count))]))
  }

  /// Whether events may be posted there: no user, no fragment, a host.
  private static func isReceiver(_ text: String) -> Bool {
    guard text.utf8.count <= 1_024, let url = URL(string: text),
      ["http", "https"].contains(url.scheme?.lowercased()), let host = url.host(), !host.isEmpty,
      url.user() == nil, url.password() == nil, url.fragment() == nil
    else { return false }
    return url.port.map { (1...65_535).contains($0) } ?? true
  }

  private func stored<Value>(
    _ work: () async throws(StorageError) -> Value
  ) async throws(RESTError) -> Value {
    do throws(StorageError) { return try await work() } catch {
      throw RESTError(control.report(error))
    }
  }
}

extension JSONValue {
  init(_ webhook: Webhook) {
    var members: [String: JSONValue] = [
      "WebhookId": .string(webhook.id), "Url": .string(webhook.url),
      "Enabled": .bool(webhook.isEnabled), "CreatedAt": Timestamp.value(webhook.createdAt),
      "Pending": .integer(webhook.pending), "Dropped": .integer(webhook.dropped),
    ]
    members["FailingSince"] = webhook.failure.map { Timestamp.value($0.since) }
    members["Problem"] = webhook.failure.map { .string($0.problem) }
    self = .object(members)
  }
}
