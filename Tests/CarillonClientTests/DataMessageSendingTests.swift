import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CarillonClientCore

/// Tests of the data messages that `AudioVideoFacade` passes to the connection.
struct DataMessageSendingTests {
  private struct Unsendable {}

  private func started() throws -> SessionFixture {
    let fixture = SessionFixture()
    try fixture.audioVideo.start()
    return fixture
  }

  /// Covers rule 23 of the conformance list for `AudioVideoFacade`.
  @Test func `a data message that is sent before the start is dropped, and no error is thrown`()
    throws
  {
    let fixture = SessionFixture()
    try fixture.audioVideo.realtimeSendDataMessage(topic: "no topic", data: 5, lifetimeMs: -1)
    try fixture.audioVideo.start()
    fixture.audioVideo.stop()
    try fixture.audioVideo.realtimeSendDataMessage(topic: "t", data: "hello", lifetimeMs: 0)
    #expect(fixture.connection.messages.isEmpty)
    #expect(fixture.logger.lines.count { $0.hasPrefix("error: A data message was dropped") } == 2)
  }

  @Test func `messages reach the link after the start, even if the server has ended the session`()
    throws
  {
    let fixture = try started()
    try fixture.audioVideo.realtimeSendDataMessage(topic: "t", data: "one", lifetimeMs: 0)
    try fixture.delegate.connectionDidChange(.serverHungUp, status: .audioServerHungup)
    try fixture.audioVideo.realtimeSendDataMessage(topic: "t", data: "two", lifetimeMs: 60_000)
    #expect(throws: SendDataMessageError.invalidTopic) {
      try fixture.audioVideo.realtimeSendDataMessage(topic: "", data: "three", lifetimeMs: 0)
    }
    #expect(fixture.connection.messages.map(\.data) == [Array("one".utf8), Array("two".utf8)])
    #expect(fixture.connection.messages.map(\.lifetimeMs) == [0, 60_000])
  }

  /// Covers rule 24 of the conformance list for `AudioVideoFacade`.
  @Test(arguments: [
    (Int32(-1), "no topic", true, 2049, SendDataMessageError.negativeLifetimeParameter),
    (0, "no topic", true, 2049, .invalidTopic), (0, "t", true, 2049, .invalidData),
    (0, "t", false, 2049, .invalidDataLength),
    (Int32.min, "t", false, 1, .negativeLifetimeParameter),
  ])
  func `a message's lifetime is checked first, then its topic, type and length`(
    lifetimeMs: Int32, topic: String, isOfWrongType: Bool, length: Int,
    error: SendDataMessageError
  ) throws {
    let fixture = try started()
    let data: Any = isOfWrongType ? Unsendable() : String(repeating: "a", count: length)
    #expect(throws: error) {
      try fixture.audioVideo.realtimeSendDataMessage(
        topic: topic, data: data, lifetimeMs: lifetimeMs)
    }
    #expect(fixture.connection.messages.isEmpty)
  }

  /// Covers rule 25 of the conformance list for `AudioVideoFacade`.
  @Test(arguments: [
    (String(repeating: "a", count: 2048), true), (String(repeating: "a", count: 2049), false),
    (String(repeating: "é", count: 1024), true), (String(repeating: "é", count: 1025), false),
    (String(repeating: "\u{1F514}", count: 512), true), (String(repeating: "日", count: 683), false),
    ("", true),
  ])
  func `a message may have 2048 bytes, however many characters these bytes encode`(
    text: String, isTaken: Bool
  ) throws {
    let fixture = try started()
    let forms: [Any] = [text, [UInt8](text.utf8), Data(text.utf8)]
    for data in forms {
      if isTaken {
        try fixture.audioVideo.realtimeSendDataMessage(topic: "t", data: data, lifetimeMs: 0)
      } else {
        #expect(throws: SendDataMessageError.invalidDataLength) {
          try fixture.audioVideo.realtimeSendDataMessage(topic: "t", data: data, lifetimeMs: 0)
        }
      }
    }
    let sent = fixture.connection.messages.map(\.data)
    #expect(sent == Array(repeating: Array(text.utf8), count: isTaken ? 3 : 0))
  }

  /// Covers rule 26 of the conformance list for `AudioVideoFacade`.
  @Test(arguments: [
    ("a", true), ("Az09_-", true), (String(repeating: "t", count: 36), true), ("", false),
    (String(repeating: "t", count: 37), false), ("a b", false), ("a.b", false), ("é", false),
    ("abc\n", false), ("\nabc", false), ("a\u{0}", false), ("aws:chime:transcription", false),
    ("carillon:notice", false), ("a\r\n", false), ("１", false),
  ])
  func `a topic consists of 1 to 36 letters, digits, _ or -`(topic: String, isTaken: Bool) throws {
    let fixture = try started()
    if isTaken {
      try fixture.audioVideo.realtimeSendDataMessage(topic: topic, data: "", lifetimeMs: 0)
    } else {
      #expect(throws: SendDataMessageError.invalidTopic) {
        try fixture.audioVideo.realtimeSendDataMessage(topic: topic, data: "", lifetimeMs: 0)
      }
    }
    #expect(fixture.connection.messages.map(\.topic) == (isTaken ? [topic] : []))
  }

  @Test func `a message that passes the checks reaches the link unchanged`() throws {
    let fixture = try started()
    let recipients = [UUID().uuidString.lowercased(), UUID().uuidString.lowercased()]
    try fixture.session.dataMessageLog.realtimeSendDataMessage(
      topic: "t", data: "hello", lifetimeMs: .max, recipients: recipients, completion: { _ in })
    let message = try #require(fixture.connection.messages.first)
    #expect(message.recipients == recipients)
    #expect(message.lifetimeMs == .max)
    #expect(message.size == 5 + 1 + 72)
  }

  @Test func `a message may have up to 250 recipients, which are checked last`() throws {
    let fixture = try started()
    let ids = (0..<251).map { _ in UUID().uuidString.lowercased() }
    func send(_ data: String, to recipients: [String]) throws {
      try fixture.session.dataMessageLog.realtimeSendDataMessage(
        topic: "t", data: data, lifetimeMs: 0, recipients: recipients, completion: { _ in })
    }
    try send("hello", to: Array(ids.dropFirst()))
    for wrong in [ids, ["ada"], [""], [ids[0] + "\u{0}"]] {
      #expect(throws: DataMessageFailure.invalidRecipients) { try send("hello", to: wrong) }
    }
    #expect(throws: SendDataMessageError.invalidDataLength) {
      try send(String(repeating: "a", count: 2049), to: ids)
    }
    #expect(fixture.connection.messages.count == 1)
  }

  @Test
  func `a completion handler runs on the main thread, even for a message sent before the start`()
    async throws
  {
    let fixture = SessionFixture()
    let recorder = fixture.recorder
    func send() throws {
      try fixture.session.dataMessageLog.realtimeSendDataMessage(
        topic: "t", data: "hello", lifetimeMs: 0, recipients: []
      ) { outcome in recorder.note("\(outcome)") }
    }
    try send()
    #expect(await recorder.lines().count { $0.contains("The session is not started.") } == 1)
    try fixture.audioVideo.start()
    try send()
    let receipt = DataMessageReceipt(sequence: 4, messageId: "m4", timestampMs: 7)
    fixture.connection.messages.last?.then?(.success(receipt))
    #expect(await recorder.lines().contains { $0.contains("m4") })
    #expect(recorder.linesOffMain.isEmpty)
  }

  @Test func `an asynchronous send before the start throws an error`() async {
    let log = SessionFixture().session.dataMessageLog
    await #expect(throws: DataMessageFailure.notStarted) {
      try await log.realtimeSendDataMessage(
        topic: "t", data: "hello", lifetimeMs: 0, recipients: [])
    }
  }

  @Test func `an asynchronous send of an invalid message throws a SendDataMessageError`()
    async throws
  {
    let log = try started().session.dataMessageLog
    await #expect(throws: SendDataMessageError.invalidData) {
      try await log.realtimeSendDataMessage(topic: "t", data: 5, lifetimeMs: 0, recipients: [])
    }
  }
}
