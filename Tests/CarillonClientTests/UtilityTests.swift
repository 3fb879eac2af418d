import Dispatch
import Foundation
import Testing

@testable import CarillonClientCore

struct UtilityTests {
  @Test(arguments: [
    ("abc", "abc", nil), ("abc#content", "abc", "content"), ("abc#x", "abc", "x"),
    ("abc#content#y", "abc", nil), ("abc##content", "abc", "content"), ("#content", "content", nil),
    ("", "", nil),
  ])
  func `an id is split at the separator`(id: String, base: String, modality: String?) {
    let parsed = DefaultModality(id: id)
    #expect(parsed.id == id)
    #expect(parsed.base == base)
    #expect(parsed.modality == modality)
    #expect(parsed.isOfType(type: .content) == (modality == "content"))
  }

  @Test func `attendees are compared, hashed and ordered by id alone`() {
    let ada = AttendeeInfo(attendeeId: "a", externalUserId: "1")
    let sameAda = AttendeeInfo(attendeeId: "a", externalUserId: "2")
    let bob = AttendeeInfo(attendeeId: "b", externalUserId: "1")
    #expect(ada == sameAda)
    #expect(ada != bob)
    #expect(Set([ada, sameAda, bob]).count == 2)
    #expect(ada < bob)
  }

  @Test func `a data message gives text or JSON only if its bytes are text or JSON`() {
    func message(_ bytes: [UInt8]) -> DataMessage {
      DataMessage(
        topic: "t", data: Data(bytes), senderAttendeeId: "a", senderExternalUserId: "u",
        timestampMs: 1, throttled: false)
    }
    #expect(message(Array("naïve\0".utf8)).text() == "naïve\0")
    #expect(message([0xFF, 0xFE]).text() == nil)
    #expect(message(Array(#"{"a": 1}"#.utf8)).fromJSON() as? [String: Int] == ["a": 1])
    #expect(message(Array("[1, 2]".utf8)).fromJSON() as? [Int] == [1, 2])
    #expect(message(Array("5".utf8)).fromJSON() == nil)
    #expect(message([]).fromJSON() == nil)
  }

  @Test func `a dictionary is converted to JSON text`() {
    let attributes: [AnyHashable: Any] = [EventAttributeName.retryCount: 3, "name": "x"]
    #expect(attributes.toJsonString() == #"{"name":"x","retryCount":"3"}"#)
    #expect(NSDictionary(dictionary: ["a": 1]).toJsonString() == #"{"a":"1"}"#)
  }

  @Test func `an interval scheduler may be started, stopped and started again`() async {
    let ticks = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let scheduler = IntervalScheduler(intervalMs: 1) { ticks.continuation.yield() }
    var iterator = ticks.stream.makeAsyncIterator()
    for _ in 1...2 {
      scheduler.start()
      scheduler.start()
      await iterator.next()
      await iterator.next()
      scheduler.stop()
      scheduler.stop()
    }
  }

  @Test func `a console logger builds a debug line only if the line is written`() {
    let logger = ConsoleLogger(name: "test", level: .INFO)
    var evaluations = 0
    logger.debug {
      evaluations += 1
      return ""
    }
    #expect(evaluations == 0)
    #expect(logger.getLogLevel() == .INFO)
    logger.setLogLevel(level: .OFF)
    logger.error(msg: "This must not be seen.")
    #expect(logger.getLogLevel() == .OFF)
    #expect(
      ConsoleLogger.line(level: .FAULT, name: "n", message: "m", thread: "t") == "[FAULT] n - m t")
  }

  @Test func `the port of a device determines its type`() {
    let headset = MediaDevicePort(uid: "1", name: "Headset", portType: "headset")
    #expect(MediaDevice(label: "Headset", port: headset).type == .audioWiredHeadset)
    #expect(MediaDevice(label: "x").type == .other)
    let speaker = MediaDevice(label: "Built-in Speaker", type: .audioBuiltInSpeaker)
    #expect(speaker.port == nil)
    #expect(speaker.description == "Built-in Speaker - audioBuiltInSpeaker")
    let format = VideoCaptureFormat(width: 1, height: 2, maxFrameRate: 3)
    #expect(Set([format, VideoCaptureFormat(width: 1, height: 2, maxFrameRate: 3)]).count == 1)
  }

  @Test func `the attendee id of a tile determines whether the tile shows content`() {
    func isContent(_ id: String) -> Bool {
      VideoTileState(
        tileId: 1, attendeeId: id, videoStreamContentWidth: 0, videoStreamContentHeight: 0,
        pauseState: .unpaused, isLocalTile: false
      ).isContent
    }
    #expect(isContent("a#content"))
    #expect(!isContent("a"))
  }

  @Test func `the library has a version`() {
    #expect(!Versioning.sdkVersion().isEmpty)
    #expect(URLRewriterUtils.defaultUrlRewriter("u") == "u")
  }
}
