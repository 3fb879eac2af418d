import Bus
import MeetingModel
import OwnerTestSupport
import TestSupport
import Testing
import Wire

@testable import Presence

/// Tests of knocks at the socket of presence, with requests of several gateways.
@Suite(.timeLimit(.minutes(5))) struct PresenceKnockTests {
  private let planning = MeetingID.planning.text

  private func knock(
    _ id: KnockID = .random(), as name: String = "Eve", from address: String = "::1"
  ) -> V1.KnockRequest {
    V1.KnockRequest(
      meetingID: planning, knockID: id.text, displayName: name, address: address, ageMs: 0)
  }

  @Test func `the host of one gateway admits a person who knocks at another gateway`()
    async throws
  {
    try await withPresence { presence in
      try await presence.withGateway("gateway-a") { hosts in
        try await presence.withGateway("gateway-b") { visitors in
          let present = V1.GetHostPresenceRequest(meetingID: planning)
          let before = try await visitors.call(V1.PresenceMethods.getHostPresence, present)
          #expect(!before.isHostPresent)
          let list = V1.ListKnocksRequest(meetingID: planning)
          #expect(try await hosts.call(V1.PresenceMethods.listKnocks, list).knocks.isEmpty)
          let after = try await visitors.call(V1.PresenceMethods.getHostPresence, present)
          #expect(after.isHostPresent)

          let id = KnockID.random()
          let first = try await visitors.call(V1.PresenceMethods.knock, knock(id))
          #expect(first.state == .waiting)
          let listed = try await hosts.call(V1.PresenceMethods.listKnocks, list).knocks
          #expect(listed == [V1.WaitingKnock(knockID: id.text, displayName: "Eve")])
          let answer = V1.AnswerKnockRequest(
            meetingID: planning, knockID: id.text, isAdmitted: true)
          for _ in 0..<2 { _ = try await hosts.call(V1.PresenceMethods.answerKnock, answer) }
          let next = try await visitors.call(V1.PresenceMethods.knock, knock(id))
          #expect(next.state == .admitted)
          let entry = GUID.random().text
          let take = V1.TakeKnockRequest(meetingID: planning, knockID: id.text, entryID: entry)
          for _ in 0..<2 { _ = try await visitors.call(V1.PresenceMethods.takeKnock, take) }
          // An older gateway sends no entry id.
          for other in [GUID.random().text, ""] {
            var second = take
            second.entryID = other
            let refusal = await #expect(throws: Status.self) {
              try await hosts.call(V1.PresenceMethods.takeKnock, second)
            }
            #expect(refusal?.code == .notFound)
          }
          let giveBack = V1.ReturnKnockRequest(
            meetingID: planning, knockID: id.text, entryID: entry)
          for _ in 0..<2 { _ = try await visitors.call(V1.PresenceMethods.returnKnock, giveBack) }
          _ = try await hosts.call(V1.PresenceMethods.listKnocks, list)
          let again = try await visitors.call(V1.PresenceMethods.knock, knock(id))
          #expect(again.state == .waiting)
        }
      }
    }
  }

  @Test func `the end of a meeting ends its knocks`() async throws {
    try await withPresence { presence in
      try await presence.withGateway { gateway in
        let list = V1.ListKnocksRequest(meetingID: planning)
        _ = try await gateway.call(V1.PresenceMethods.knock, knock())
        #expect(try await gateway.call(V1.PresenceMethods.listKnocks, list).knocks.count == 1)
        _ = try await gateway.call(
          V1.PresenceMethods.endMeeting, V1.EndMeetingRequest(meetingID: planning))
        #expect(try await gateway.call(V1.PresenceMethods.listKnocks, list).knocks.isEmpty)
      }
    }
  }

  @Test func `malformed knocks are refused`() async throws {
    try await withPresence { presence in
      try await presence.withGateway { gateway in
        var wrong = [
          knock(as: ""), knock(as: "\n"), knock(from: String(repeating: "1", count: 65)),
        ]
        wrong.append(V1.KnockRequest(meetingID: planning, knockID: "K", displayName: "Eve"))
        wrong.append(
          V1.KnockRequest(meetingID: "M", knockID: KnockID.random().text, displayName: "Eve"))
        for request in wrong {
          let refusal = await #expect(throws: Status.self) {
            try await gateway.call(V1.PresenceMethods.knock, request)
          }
          #expect(refusal?.code == .invalidArgument)
        }
        for entry in ["", "E"] {
          let refusal = await #expect(throws: Status.self) {
            try await gateway.call(
              V1.PresenceMethods.returnKnock,
              V1.ReturnKnockRequest(
                meetingID: planning, knockID: KnockID.random().text, entryID: entry))
          }
          #expect(refusal?.code == .invalidArgument)
        }
        var old = knock()
        old.ageMs = .max
        let refusal = await #expect(throws: Status.self) {
          try await gateway.call(V1.PresenceMethods.knock, old)
        }
        #expect(refusal?.code == .notFound)
      }
    }
  }
}
