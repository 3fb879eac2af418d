import ClientTestSupport
import Foundation
import TestSupport
import Testing
import Trials

@testable import CarillonClientCore

@Suite(.timeLimit(.minutes(5))) struct EventIngestionTests {
  private static func payloads(_ range: Range<Int>) -> [Data] { range.map { Data("\($0)".utf8) } }

  private func queue(_ count: Int, flushSize: Int = 20, retries: Int = 2) -> AnalyticsEventQueue {
    var queue = AnalyticsEventQueue(flushSize: flushSize, retryCountLimit: retries)
    for payload in Self.payloads(0..<count) { _ = queue.add(payload) }
    return queue
  }

  // MARK: The queue

  @Test func `events are sent in order and in batches, one request at a time`() {
    var queue = queue(5, flushSize: 2)
    #expect(queue.next() == Self.payloads(0..<2))
    #expect(queue.next() == nil)
    #expect(queue.wasAnswered(200) == 0)
    #expect(queue.next() == Self.payloads(2..<4))
    #expect(queue.wasAnswered(204) == 0)
    #expect(queue.next() == Self.payloads(4..<5))
    #expect(!queue.isIdle)
    #expect(queue.wasAnswered(200) == 0)
    #expect(queue.isIdle)
    #expect(queue.next() == nil)
  }

  @Test(arguments: [nil, 408, 429, 500, 502, 503, 504])
  func `a failed request is repeated before newer events until the retry limit`(status: Int?) {
    var queue = queue(3, flushSize: 2, retries: 2)
    for _ in 0..<2 {
      #expect(queue.next() == Self.payloads(0..<2))
      #expect(queue.wasAnswered(status) == 0)
    }
    #expect(queue.next() == Self.payloads(0..<2))
    #expect(queue.wasAnswered(status) == 2)
    #expect(queue.next() == Self.payloads(2..<3))
  }

  @Test(arguments: [301, 400, 401, 404]) func `a refused request is not repeated`(status: Int) {
    var queue = queue(3)
    _ = queue.next()
    #expect(queue.wasAnswered(status) == 3)
    #expect(queue.isIdle)
    #expect(queue.wasAnswered(200) == 0)
  }

  @Test func `a full event queue drops its oldest event`() {
    var queue = queue(AnalyticsEventQueue.capacity)
    let hasDropped = queue.add(Data("new".utf8))
    #expect(hasDropped)
    let next = queue.next()
    #expect(next?.first == Data("1".utf8))
  }

  // MARK: Over HTTP

  private static func reporter(at url: String, _ logger: RecordingLogger = RecordingLogger())
    -> (any EventReporter)?
  {
    let configuration = IngestionConfigurationBuilder().setFlushIntervalMs(flushIntervalMs: 300)
      .build(
        ingestionUrl: url,
        clientConiguration: MeetingEventClientConfiguration(
          eventClientJoinToken: "secret", meetingId: "m", attendeeId: "ada"))
    return DefaultMeetingEventReporterFactory(
      ingestionConfiguration: configuration, logger: logger
    ).createEventReporter()
  }

  private struct Body: Decodable {
    struct Event: Decodable {
      let type: String
      let v: Int
      let metadata: [String: String]
      let payloads: [[String: Value]]
    }

    let metadata: [String: String]
    let events: [Event]
  }

  private enum Value: Decodable, Equatable {
    case text(String)
    case number(Int64)
    case isTrue(Bool)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let value = try? container.decode(Bool.self) {
        self = .isTrue(value)
      } else if let value = try? container.decode(Int64.self) {
        self = .number(value)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }

  @Test func `a session's events have the server's format, and the last event is sent immediately`()
    async throws
  {
    let server = try HTTPAnswer(json: "{}")
    defer { server.close() }
    let reporter = try #require(Self.reporter(at: "http://127.0.0.1:\(server.port)/events"))
    reporter.report(
      event: SDKEvent(
        eventName: .meetingEnded,
        eventAttributes: [
          EventAttributeName.timestampMs: Int64(5),
          EventAttributeName.meetingStatus:
            MeetingSessionStatusCode.audioServerHungup, EventAttributeName.retryCount: 2,
          EventAttributeName.lowPowerModeEnabled: false,
          EventAttributeName.videoInputError: PermissionError.videoPermissionError,
          EventAttributeName.externalUserId: "not sent", "own": 1,
        ]))
    let request = try #require(
      try await server.requests.wait(for: "the events") { !$0.isEmpty }.first)
    #expect(request.hasPrefix("POST /events HTTP/1.1"))
    #expect(request.contains("Authorization: Bearer secret"))
    let json = try #require(request.components(separatedBy: "\r\n\r\n").last)
    let body = try JSONDecoder().decode(Body.self, from: Data(json.utf8))
    #expect(body.metadata["meetingId"] == "m" && body.metadata["osName"] == "Linux")
    #expect(body.metadata["externalUserId"] == nil)
    let event = try #require(body.events.first)
    #expect((event.type, event.v, event.metadata["attendeeId"]) == ("Meet", 1, "ada"))
    var payload = try #require(event.payloads.first)
    #expect(payload.removeValue(forKey: "id") != nil)
    #expect(
      payload == [
        "name": .text("meetingEnded"), "ts": .number(5),
        "meetingStatus": .text("audioServerHungup"),
        "retryCount": .number(2), "lowPowerModeEnabled": .isTrue(false),
        "videoInputErrorMessage": .text("videoPermissionError"),
      ])
  }

  @Test
  func `a request is repeated if the server is busy but not if the server refuses the request`()
    async throws
  {
    let logger = RecordingLogger()
    let server = try HTTPAnswer(json: "{}", status: { [503, 200, 400].dropFirst($0).first ?? 200 })
    defer { server.close() }
    let reporter = try #require(Self.reporter(at: "http://127.0.0.1:\(server.port)/", logger))
    reporter.report(event: SDKEvent(eventName: .meetingStartRequested, eventAttributes: [:]))
    let twice = try await server.requests.wait(for: "the repetition") { $0.count == 2 }
    #expect(twice.allSatisfy { $0.contains("meetingStartRequested") })
    reporter.report(event: SDKEvent(eventName: .meetingEnded, eventAttributes: [:]))
    try await server.requests.wait(for: "the end") { $0.count == 3 }
    try await eventually("the loss to be logged") {
      logger.lines.contains { $0.contains("1 events could not be sent to ingestionUrl: HTTP 400.") }
    }
  }

  @Test func `a session without a valid address sends no events`() {
    let logger = RecordingLogger()
    #expect(Self.reporter(at: "", logger) == nil)
    #expect(logger.lines.isEmpty)
    #expect(Self.reporter(at: "gopher://x", logger) == nil)
    #expect(logger.lines.count == 1)
  }
}
