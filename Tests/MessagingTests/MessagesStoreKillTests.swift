import Foundation
import MeetingModel
import OwnerTestSupport
import Storage
import TestSupport
import Testing

@testable import Messaging

@Suite(.timeLimit(.minutes(5))) struct MessagesStoreKillTests {
  @Test func `all acknowledged messages are stored without gaps after the process is killed`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      for round in 0..<6 {
        let delay = UInt32.random(in: 2_000...60_000)
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [directory = directory as String, delay = delay as UInt32] in
          try await Self.writeUntilKilled(in: directory, after: delay)
        }
        let acknowledged = try Self.acknowledged(in: directory)
        let stored = try await MessagesStore(path: directory + "/messages.sqlite").load()
        let messages = stored.logs[.planning]?.messages ?? []
        #expect(messages.map(\.sequence) == messages.indices.map { UInt64($0) + 1 })
        #expect(messages.count >= acknowledged, "round \(round), killed after \(delay) µs")
        #expect(stored.logs[.planning]?.state.lastSequence ?? 0 == UInt64(messages.count))
      }
    }
  }

  /// Commits batches of random sizes. Writes the last sequence number to a file after each
  /// acknowledgement.
  private static func writeUntilKilled(in directory: String, after delay: UInt32) async throws {
    let store = try MessagesStore(path: directory + "/messages.sqlite")
    let stored = try await store.load()
    var logs = MessageLogs(
      rules: MessagingRules(rate: RateLimit(perSecond: 1, burst: 1_000_000)), restoring: stored,
      at: start)
    let notes = open(directory + "/acknowledged", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    Thread.detachNewThread {
      usleep(delay)
      kill(getpid(), SIGKILL)
    }
    let notice = try MessageDraft(
      from: .service(nil), topic: "chat", data: [UInt8](repeating: 7, count: 2_048), lifetimeMs: 0,
      rules: logs.rules)
    while true {
      for _ in 0..<Int.random(in: 1...40) {
        _ = try logs.append(notice, to: .planning, at: start)
      }
      if let batch = logs.takeBatch() { try await store.commit(batch) }
      logs.confirm(at: start)
      // Bytes that write(2) accepted are in the file even after the death of the process.
      let line = Array("\(logs.all[.planning]?.storedSequence ?? 0)\n".utf8)
      guard write(notes, line, line.count) == line.count else { return }
    }
  }

  private static func acknowledged(in directory: String) throws -> Int {
    let path = directory + "/acknowledged"
    guard FileManager.default.fileExists(atPath: path) else { return 0 }
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    return lines.last.flatMap { Int($0) } ?? 0
  }
}
