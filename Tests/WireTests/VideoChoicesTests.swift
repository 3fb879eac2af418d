import MeetingModel
import Testing
import Wire

@Suite struct VideoChoicesTests {
  private static let camera = V1.PublishedVideo(kind: .camera, layers: [V1.VideoLayer()])
  private static let content = V1.PublishedVideo(kind: .content, layers: [V1.VideoLayer()])
  private static let grace = "b2b2b2b2-0000-4000-8000-000000000002"

  private static func subscriptions(
    _ count: Int, to subscription: V1.VideoSubscription = .init(participantID: grace)
  ) -> V1.VideoSubscriptions {
    V1.VideoSubscriptions(subscriptions: Array(repeating: subscription, count: count))
  }

  /// Impossible choices, and the fault of each choice.
  struct Wrong: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let choices: V1.VideoChoices

    init(_ description: String, _ choices: V1.VideoChoices) {
      testDescription = description
      self.choices = choices
    }
  }

  @Test func `video choices up to the limits are accepted`() throws {
    try V1.VideoChoices().check()
    try V1.VideoChoices(
      published: [Self.camera, Self.content], subscriptions: Self.subscriptions(1_000),
      isReceiving: true
    ).check()
    try V1.VideoChoices(
      published: [Self.camera], pausedTileIDs: Array(1...1_000)
    ).check()
  }

  @Test(arguments: [
    Wrong("two cameras", .init(published: [camera, camera])),
    Wrong("two shares", .init(published: [content, content])),
    Wrong("three sources", .init(published: [camera, content, .init(layers: [.init()])])),
    Wrong("a source of no kind", .init(published: [.init(layers: [.init()])])),
    Wrong("a source without layers", .init(published: [.init(kind: .camera)])),
    Wrong(
      "four layers",
      .init(published: [.init(kind: .camera, layers: Array(repeating: .init(), count: 4))])),
    Wrong("1001 subscriptions", .init(subscriptions: subscriptions(1_001))),
    Wrong(
      "a subscription to nobody",
      .init(subscriptions: subscriptions(1, to: .init(participantID: "ada")))),
    Wrong(
      "a priority that is none",
      .init(
        subscriptions: subscriptions(
          1, to: .init(participantID: grace, priority: V1.VideoPriority(rawValue: 11))))),
    Wrong(
      "a target without height",
      .init(subscriptions: subscriptions(1, to: .init(participantID: grace, targetWidth: 640)))),
    Wrong("1001 paused tiles", .init(pausedTileIDs: Array(1...1_001))),
    Wrong(
      "too many bytes",
      .init(
        subscriptions: subscriptions(
          1_000,
          to: .init(
            participantID: grace + "#content", priority: .high, targetWidth: .max,
            targetHeight: .max)))),
  ])
  func `invalid video choices are refused with a message that states the rule`(wrong: Wrong) {
    let error = #expect(throws: Status.self) { try wrong.choices.check() }
    #expect(error?.code == .invalidArgument && error?.reason == .malformed)
    #expect(error?.message.contains("must be") == true)
  }
}
