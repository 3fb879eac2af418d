import Bus
import Foundation
import MeetingModel
import OwnerTestSupport
import Storage
import TestSupport
import Testing
import Wire
import ZeroMQ

@testable import Messaging

@Suite(.timeLimit(.minutes(5))) struct MessagingRestartTests {
  @Test func `messages are refused after the database file is deleted`() async throws {
    try await withTemporaryDirectory { directory in
      let messaging = MessagingFixture(directory: directory)
      try await messaging.running { service in
        try await messaging.withGateway { gateway in
          try await gateway.join(.ada)
          try await gateway.send(.ada, "one", key: "one")
          try FileManager.default.removeItem(atPath: messaging.database)
          for _ in 0..<3 {
            let refused = await #expect(throws: Status.self) {
              try await gateway.send(.ada, "two", key: "two")
            }
            #expect(refused?.code == .unavailable)
          }
          await #expect(throws: (any Error).self) { try await service.checkStorage() }
        }
      }
    }
  }

  @Test func `a log continues its numbering after a restart`() async throws {
    try await withTemporaryDirectory { directory in
      let messaging = MessagingFixture(directory: directory)
      let before = try await messaging.running { _ in
        try await messaging.withGateway { gateway in
          try await gateway.join(.ada)
          try await gateway.join(.grace)
          try await gateway.send(.ada, "live", key: "one")
          try await gateway.send(.ada, "kept", lifetimeMs: 60_000, key: "two")
          return try await gateway.replay()
        }
      }
      try await messaging.running { _ in
        try await messaging.withGateway { gateway in
          let after = try await gateway.replay()
          #expect(after.epoch == before.epoch)
          #expect(after.events.map(\.body) == before.events.map(\.body))
          #expect(after.events.compactMap(\.header?.term) == [2, 2])
          let resumed = try await gateway.replay(for: .grace, epoch: before.epoch, after: 1)
          #expect(resumed.texts == ["kept"])
          #expect(resumed.isComplete)
          #expect(try await gateway.join(.edsger).texts == ["kept"])
          let again = try await gateway.send(.ada, "live", key: "one").accepted
          #expect(again?.sequence == 1)
          #expect(again?.isRepeat == true)
          try await gateway.follow()
          #expect(try await gateway.send(.ada, "new").accepted?.sequence == 3)
          #expect(try await gateway.events(1).map(\.header.sequence) == [3])
        }
      }
    }
  }

  @Test(arguments: [true, false])
  func `a resumed session gets all new messages after an older backup is restored`(
    withLockFile: Bool
  ) async throws {
    try await withTemporaryDirectory { directory in
      let copies = directory + "/copies"
      let epoch = try await Self.lose(2, of: 4, in: directory, copyingTo: copies, withLockFile)
      let messaging = MessagingFixture(directory: copies)
      try await messaging.running { _ in
        try await messaging.withGateway { gateway in
          for text in ["new 3", "new 4", "new 5"] { try await gateway.send(.ada, text) }
          let resumed = try await gateway.replay(for: .grace, epoch: epoch, after: 4)
          #expect(resumed.epoch != epoch)
          #expect(resumed.texts == ["1", "2", "new 3", "new 4", "new 5"])
          #expect(!resumed.isComplete)
          // Within the new epoch, a replay again starts after the requested position.
          let next = try await gateway.replay(for: .grace, epoch: resumed.epoch, after: 4)
          #expect(next.texts == ["new 5"])
          #expect(next.isComplete)
        }
      }
    }
  }

  /// Sends the messages "1", "2" and so on. Before the last `lost` messages, the function copies
  /// the store.
  ///
  /// - Returns: The epoch of the log.
  private static func lose(
    _ lost: Int, of all: Int, in directory: String, copyingTo copies: String, _ withLockFile: Bool
  ) async throws -> UInt64 {
    let messaging = MessagingFixture(directory: directory)
    for texts in [1...(all - lost), (all - lost + 1)...all] {
      try await messaging.running { _ in
        try await messaging.withGateway { gateway in
          try await gateway.join(.ada)
          try await gateway.join(.grace)
          for text in texts { try await gateway.send(.ada, "\(text)") }
        }
      }
      guard texts.lowerBound == 1 else { continue }
      try FileManager.default.createDirectory(atPath: copies, withIntermediateDirectories: false)
      let suffixes = ["", "-wal"] + (withLockFile ? [".lock"] : [])
      for suffix in suffixes
      where FileManager.default.fileExists(atPath: messaging.database + suffix) {
        try FileManager.default.copyItem(
          atPath: messaging.database + suffix, toPath: copies + "/messages.sqlite" + suffix)
      }
    }
    let stored = try await MessagesStore(path: messaging.database).load()
    return try #require(stored.logs[.planning]).state.epoch
  }

  @Test func `a gateway learns from a beacon that it has missed messages`() async throws {
    try await withMessaging { messaging in
      try await messaging.withGateway { sender in
        try await sender.join(.ada)
        try await sender.send(.ada, "early")
        try await messaging.withGateway { gateway in
          // The gateway has received no event so far, and messaging publishes no further event.
          try await gateway.followFromStart()
          #expect(try await gateway.events(1).compactMap(\.message?.sequence) == [1])
        }
      }
    }
  }

  @Test func `a new store knows no former sessions and starts a new epoch`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let messaging = MessagingFixture(directory: directory)
      let epoch = try await messaging.running { _ in
        try await messaging.withGateway { gateway in
          try await gateway.join(.ada)
          try await gateway.send(.ada, "lost", lifetimeMs: 60_000)
          return try await gateway.replay().epoch
        }
      }
      let other = try await withTemporaryDirectory { elsewhere in
        let fresh = MessagingFixture(directory: elsewhere)
        return try await fresh.running { _ in
          try await fresh.withGateway { gateway in
            try await gateway.replay(for: .ada, epoch: epoch, after: 1)
          }
        }
      }
      #expect(other.epoch != epoch)
      #expect(other.throughSequence == 0)
      #expect(!other.isComplete)
    }
  }

  @Test func `accepted messages are stored before the service stops`() async throws {
    try await withTemporaryDirectory { directory in
      let messaging = MessagingFixture(directory: directory)
      let gateway = TestGateway.ofMessages()
      let answers = try await messaging.running { _ in
        try await gateway.open(
          requests: try .ipc(directory + "/messaging-a.rpc.sock"),
          events: try .ipc(directory + "/messaging-a.events.sock"))
        try await gateway.join(.ada)
        try await gateway.follow()
        let texts = (0..<100).map(String.init)
        let answers = Task { await gateway.send(.ada, texts) }
        // When this event arrives, the gateway has sent all messages. The end of the connection
        // then ends the calls of the unanswered messages.
        _ = try await gateway.events(1)
        return answers
      }
      // Messaging may have received some messages too late. Messaging loses no message that it
      // accepted.
      let accepted = await answers.value.compactMap { try? $0.get().accepted?.sequence }
      await gateway.close()
      let stored = try await MessagesStore(path: messaging.database).load()
      let sequences = stored.logs[.planning]?.messages.map(\.sequence) ?? []
      #expect(!sequences.isEmpty)
      #expect(Set(accepted).isSubset(of: Set(sequences)))
      #expect(sequences == sequences.indices.map { UInt64($0) + 1 })
    }
  }

  @Test func `messages are refused while the database is locked and accepted afterwards`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let messaging = MessagingFixture(directory: directory)
      try await messaging.running { service in
        try await messaging.withGateway { gateway in
          try await gateway.join(.ada)
          try await gateway.follow()
          try await service.checkStorage()
          let holder = try Self.hold(messaging.database)
          let status = await gateway.refusal(of: .from(.ada, "void"))
          #expect(status?.code == .unavailable)
          await #expect(throws: Status.self) { try await service.checkStorage() }
          try holder.execute("ROLLBACK")
          for (sequence, text) in zip([1, 2] as [UInt64], ["first", "second"]) {
            var request = V1.SendDataMessageRequest.from(.ada, text)
            request.round = 1  // After a refusal, a gateway sends its messages in a new round.
            #expect(try await gateway.append(request).accepted?.sequence == sequence)
          }
          #expect(try await gateway.events(2).compactMap(\.text) == ["first", "second"])
          #expect(try await gateway.replay().texts == ["first", "second"])
        }
      }
    }
  }

  @Test func `if another writer has changed a log, the log continues from the stored sequence`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let messaging = MessagingFixture(directory: directory)
      try await messaging.running { _ in
        try await messaging.withGateway { gateway in
          try await gateway.join(.ada)
          try await gateway.join(.grace, in: .review)
          let other = try Self.hold(messaging.database)
          try other.execute(
            """
            UPDATE log SET last_sequence = 5 WHERE meeting_id = '\(MeetingID.planning.text)';
            COMMIT
            """)
          let status = await gateway.refusal(of: .from(.ada, "void"))
          #expect(status?.code == .unavailable)
          var request = V1.SendDataMessageRequest.from(.grace, "elsewhere")
          request.meetingID = MeetingID.review.text
          #expect(try await gateway.append(request).accepted?.sequence == 1)
          request = .from(.ada, "on")
          request.round = 1
          #expect(try await gateway.append(request).accepted?.sequence == 6)
          #expect(try await gateway.replay().texts == ["on"])
        }
      }
    }
  }

  @Test func `a message sent after a refused message does not overtake that message`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let messaging = MessagingFixture(directory: directory)
      try await messaging.running { _ in
        try await messaging.withGateway { gateway in
          try await gateway.join(.ada)
          let holder = try Self.hold(messaging.database)
          #expect(await gateway.refusal(of: .from(.ada, "first"))?.code == .unavailable)
          try holder.execute("ROLLBACK")
          #expect(await gateway.refusal(of: .from(.ada, "second"))?.code == .unavailable)
          for text in ["first", "second"] {
            var request = V1.SendDataMessageRequest.from(.ada, text)
            request.round = 1
            _ = try await gateway.append(request)
          }
          #expect(try await gateway.replay().texts == ["first", "second"])
        }
      }
    }
  }

  /// Opens a transaction on another connection, as another process would.
  private static func hold(_ path: String) throws -> OtherConnection {
    let connection = try OtherConnection(path)
    try connection.execute("BEGIN IMMEDIATE")
    return connection
  }
}
