import Foundation
import Logging
import Synchronization
import Testing

@testable import ServiceHost

@Suite struct LogLineTests {
  private func line(_ message: String, _ metadata: Logger.Metadata = [:]) -> LogLine {
    LogLine(
      time: Date(timeIntervalSince1970: 1_769_860_800.25), level: .notice, label: "presence",
      message: message, metadata: metadata)
  }

  @Test func `a text line has time, level, message and sorted metadata`() {
    let text = line(
      "Draining",
      [LogMetadataKey.signal: "15", LogMetadataKey.duration: "10.0 seconds", "empty": ""]
    ).text(.plain)
    #expect(
      text
        == #"2026-01-31T12:00:00.250Z notice   Draining  "#
        + #"duration="10.0 seconds" empty="" signal=15"#)
  }

  @Test func `a text line has colours only if they are requested`() {
    #expect(line("Hello").text(.coloured).contains("\u{1B}[36mnotice  \u{1B}[0m"))
    #expect(!line("Hello").text(.plain).contains("\u{1B}"))
  }

  @Test(arguments: [
    (["TERM": "xterm"], LogColorMode.coloured), (["TERM": "xterm", "NO_COLOR": "1"], .plain),
    (["TERM": "dumb"], .plain), (["TERM": ""], .plain), ([:], .plain),
  ])
  func `only a terminal of a known type gets colours`(
    environment: [String: String], paint: LogColorMode
  ) {
    #expect(LogColorMode(isTerminal: true, environment) == paint)
    #expect(LogColorMode(isTerminal: false, environment) == .plain)
  }

  @Test func `line breaks and control characters in a text line are escaped`() {
    let text = line("One\nTwo\u{1B}[2J", ["peer": "a\r\nb\u{9B}2J=\"c\" é"]).text(.plain)
    #expect(!text.contains { $0.isNewline })
    #expect(!text.unicodeScalars.contains("\u{1B}"))
    #expect(text.hasSuffix(#"One\nTwo\u001b[2J  peer="a\r\nb\u009b2J=\"c\" é""#))
  }

  @Test func `a JSON line is one object with escaped text`() throws {
    let json = line(
      "Quote \" and \\ and \n", ["b": ["x", "y"], "a": ["k": "v"], "time": "\u{0}"]
    ).json()
    #expect(!json.contains { $0.isNewline })
    #expect(
      json
        == #"{"time":"2026-01-31T12:00:00.250Z","level":"notice","logger":"presence","#
        + #""message":"Quote \" and \\ and \n","a":{"k":"v"},"b":["x","y"],"#
        + #""metadata.time":"\u0000"}"#)
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    #expect(object?["message"] as? String == "Quote \" and \\ and \n")
  }

  @Test
  func `a handler drops events below its level, and event metadata overrides handler metadata`() {
    let lines = LineCollector()
    var logger = Logger(label: "presence") { label in
      LineLogHandler(
        logLevel: .info, metadata: ["from": "handler", "service.instance": "p-a"],
        metadataProvider: Logger.MetadataProvider { ["from": "provider"] }, label: label,
        style: .json, now: { Date(timeIntervalSince1970: 0) }, write: { lines.append($0) })
    }
    logger[metadataKey: "own"] = "logger"
    logger.debug("Unseen")
    logger.info("Seen", metadata: ["from": "event"])
    logger.warning("Seen too")
    #expect(
      lines.all == [
        #"{"time":"1970-01-01T00:00:00.000Z","level":"info","logger":"presence","#
          + #""message":"Seen","from":"event","own":"logger","service.instance":"p-a"}"#,
        #"{"time":"1970-01-01T00:00:00.000Z","level":"warning","logger":"presence","#
          + #""message":"Seen too","from":"provider","own":"logger","service.instance":"p-a"}"#,
      ])
  }
}

private final class LineCollector: Sendable {
  private let lines = Mutex<[String]>([])
  func append(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }
}
