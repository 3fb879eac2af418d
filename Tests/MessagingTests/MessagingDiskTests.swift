import Foundation
import MeetingModel
import OwnerTestSupport
import TestSupport
import Testing
import Wire

@testable import Messaging

/// Tests of the messaging service with logs that do not fit into memory, and with slow or full
/// disks.
@Suite(.timeLimit(.minutes(5))) struct MessagingDiskTests {
  private static let rules = MessagingRules(
    recent: .init(messages: 4, bytes: 8_000), rate: RateLimit(perSecond: 1, burst: 1_000))

  @Test func `older messages are read from the store before and after a restart`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let messaging = MessagingFixture(directory: directory, rules: Self.rules)
      let texts = (1...300).map { "\($0)" + String(repeating: "x", count: 2_000) }
      let epoch = try await messaging.running { _ in
        try await messaging.withGateway { gateway in
          try await gateway.join(.ada)
          try await gateway.join(.grace)
          for text in texts { try await gateway.send(.ada, text) }
          try await expectAll(texts, from: gateway)
          return try await gateway.replay().epoch
        }
      }
      try await messaging.running { _ in
        try await messaging.withGateway { gateway in
          try await expectAll(texts, from: gateway)
          let resumed = try await gateway.replay(
            for: .grace, epoch: epoch, after: 140, through: 150)
          #expect(resumed.texts == Array(texts[140..<150]))
          #expect(resumed.isComplete && !resumed.hasMore)
          #expect(try await gateway.join(.edsger).texts == [])
          let again = try await gateway.send(.ada, "next")
          #expect(again.accepted?.sequence == 301)
        }
      }
    }
  }

  /// Expects that a gateway and a person who was present read these texts, in answers of limited
  /// size.
  private func expectAll(_ texts: [String], from gateway: TestGateway) async throws {
    for person in [nil, Person.grace] {
      var (read, epoch, after, isOver) = ([String](), UInt64(0), UInt64(0), false)
      while !isOver {
        let part = try await gateway.replay(
          for: person, epoch: epoch, after: after, maxBytes: 200_000)
        read += part.texts
        #expect(part.isComplete)
        (epoch, after, isOver) = (part.epoch, part.throughSequence, !part.hasMore)
      }
      #expect(read == texts)
      #expect(after == UInt64(texts.count))
    }
  }

  @Test func `stored messages can be read while a slow disk delays new messages`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let messaging = MessagingFixture(
        directory: directory, rules: Self.rules, busyTimeout: .seconds(30))
      try await messaging.running { _ in
        try await messaging.withGateway { gateway in
          try await gateway.join(.ada)
          let texts = (1...40).map(String.init)
          for text in texts { try await gateway.send(.ada, text) }
          let holder = try OtherConnection(messaging.database)
          try holder.execute("BEGIN IMMEDIATE")
          async let late = gateway.send(.ada, ["41", "42"])
          #expect(try await gateway.replay().texts == texts)
          #expect(try await gateway.replay(through: 5).texts == Array(texts[0..<5]))
          try holder.execute("ROLLBACK")
          let places = await late.compactMap { try? $0.get().accepted?.sequence }
          #expect(places == [41, 42])
          #expect(try await gateway.replay().texts == texts + ["41", "42"])
        }
      }
    }
  }

  /// Runs in a separate process, because the test limits the size of all files of its process.
  @Test func `messages are refused while the disk is full and accepted afterwards`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      try await Self.fillDisk()
    }
  }

  private static func fillDisk() async throws {
    try await withTemporaryDirectory { directory in
      signal(SIGXFSZ, SIG_IGN)
      let messaging = MessagingFixture(directory: directory, rules: rules)
      try await messaging.running { service in
        try await messaging.withGateway { gateway in
          try await gateway.join(.ada)
          setLongestFile(2_000_000)
          let text = String(repeating: "x", count: 2_000)
          var (acknowledged, refusals, round) = ([String](), 0, UInt64(0))
          for number in 0..<500 where refusals < 3 {
            var request = V1.SendDataMessageRequest.from(.ada, "\(number)" + text)
            request.round = round
            do throws(Status) {
              let place = try await gateway.append(request).accepted?.sequence
              acknowledged.append("\(number)" + text)
              #expect(place == UInt64(acknowledged.count))
              #expect(refusals == 0)
            } catch {
              #expect(error.code == .unavailable)
              refusals += 1
              round += 1
            }
          }
          #expect(acknowledged.count > 50)
          #expect(refusals == 3)
          await #expect(throws: Status.self) { try await service.checkStorage() }
          try await expect(acknowledged, from: gateway)
          setLongestFile(.max)
          var request = V1.SendDataMessageRequest.from(.ada, "room")
          request.round = round + 1
          let place = try await gateway.append(request).accepted?.sequence
          acknowledged.append("room")
          #expect(place == UInt64(acknowledged.count))
          try await expect(acknowledged, from: gateway)
        }
      }
      try await messaging.running { _ in
        try await messaging.withGateway { gateway in
          let last = try await gateway.replay(maxBytes: 3 << 20)
          #expect(last.texts.last == "room")
        }
      }
    }
  }

  private static func expect(_ texts: [String], from gateway: TestGateway) async throws {
    let all = try await gateway.replay(maxBytes: 3 << 20)
    #expect(all.texts == texts)
    #expect(all.isComplete && !all.hasMore)
  }

  /// Limits the length of this process's files, in bytes; see setrlimit(2).
  private static func setLongestFile(_ bytes: rlim_t) {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    limit.rlim_cur = min(bytes, limit.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  }
}
