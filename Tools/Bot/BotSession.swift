internal import Foundation
internal import MeetingViews

/// One session of a bot in a meeting: the bot's script and the bot's clock.
actor BotSession {
  private var script: BotScript
  private let began = Date.now

  init(ownID: String) {
    script = BotScript(ownID: ownID, at: .now)
  }

  func waits() -> [BotScript.Deed] { script.waits(until: .now) }

  /// Returns the bot's reactions to an event.
  func hears(_ event: ObservedEvent) -> [BotScript.Deed] {
    switch event {
    case .attendee(.joined, let attendee): return script.comes(attendee, at: .now)
    case .attendee(.left, let attendee), .attendee(.dropped, let attendee):
      script.goes(attendee)
      return []
    case .message(let message):
      // Messages that attendees sent before the bot joined do not address the bot.
      let sent = Date(timeIntervalSince1970: Double(message.timestampMs) / 1_000)
      guard sent >= began, let text = message.text else { return [] }
      return script.reads(text, by: message.sender, at: .now)
    case .attendee(.muted, _), .attendee(.unmuted, _), .started, .reconnecting, .reconnected,
      .ended, .throttled, .messagesResumed, .transcript, .promotion:
      return []
    }
  }
}
