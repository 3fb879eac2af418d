import Foundation
import MeetingModel
import Storage

// Carries out operations on webhooks: lists, changes and removes receivers, and replays events.
extension RESTHandler {
  func listWebhooks() async throws(RESTError) -> [String: JSONValue] {
    let webhooks = try await stored { () async throws(StorageError) in
      try await control.store.webhooks()
    }
    return ["Webhooks": .array(webhooks.map { JSONValue($0) })]
  }

  /// Adds a receiver. Only this answer contains the secret, and only if the receiver is new.
  func createWebhook(
    _ asked: CreateWebhookRequest
  ) async throws(RESTError) -> [String: JSONValue] {
    let (webhook, secret) = try await stored { () async throws(StorageError) in
      try await control.store.addWebhook(
        at: asked.url, isEnabled: asked.isEnabled, now: control.settings.now())
    }
    var answer = ["Webhook": JSONValue(webhook)]
    answer["Secret"] = secret.map { .string("whsec_" + Data($0).base64EncodedString()) }
    return answer
  }

  func getWebhook(_ id: String) async throws(RESTError) -> [String: JSONValue] {
    let webhook = try await stored { () async throws(StorageError) in
      try await control.store.webhook(id)
    }
    return ["Webhook": JSONValue(webhook)]
  }

  func setWebhook(
    isEnabled: Bool, _ id: String
  ) async throws(RESTError) -> [String: JSONValue] {
    let webhook = try await stored { () async throws(StorageError) in
      try await control.store.setWebhook(id, isEnabled: isEnabled)
    }
    return ["Webhook": JSONValue(webhook)]
  }

  func deleteWebhook(_ id: String) async throws(RESTError) {
    try await stored { () async throws(StorageError) in
      try await control.store.deleteWebhook(id)
    }
  }

  func replayWebhook(
    _ asked: ReplayWebhookRequest, to id: String
  ) async throws(RESTError) -> [String: JSONValue] {
    let count = try await stored { () async throws(StorageError) in
      try await control.store.replay(of: asked.meeting, from: asked.sequence, to: id)
    }
    return ["Added": .integer(Int64(count))]
  }
}

extension JSONValue {
  init(_ webhook: Webhook) {
    var members: [String: JSONValue] = [
      "WebhookId": .string(webhook.id), "Url": .string(webhook.url),
      "Enabled": .bool(webhook.isEnabled), "CreatedAt": TimestampFormatter.value(webhook.createdAt),
      "Pending": .integer(webhook.pending), "Dropped": .integer(webhook.dropped),
    ]
    members["FailingSince"] = webhook.failure.map { TimestampFormatter.value($0.since) }
    members["Problem"] = webhook.failure.map { .string($0.problem) }
    self = .object(members)
  }
}
