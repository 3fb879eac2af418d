import Bus
import MeetingModel
import Testing
import Wire
import ZeroMQ

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct ClientRequestFilterTests {
  private typealias Methods = V1.AudioVideoFacadeMethods

  private static let route = RoutingID(MessageFrame([0, 1, 2, 3, 4]))
  private static let neighbour = RoutingID(MessageFrame([0, 1, 2, 3, 5]))

  /// The burst limit of a session, and of a connection without a session.
  private static let burst = 100

  @Test func `a connection without a session may only call Start, GetLimits and Stop`() async throws
  {
    try await withKeeper { fixture in
      let requestFilter = ClientRequestFilter(in: fixture.context)
      for method in [Methods.start.key, Methods.getLimits.key, Methods.stop.key] {
        #expect(requestFilter.refusal(of: .init(), from: Self.route, to: method) == nil)
      }
      for method in [Methods.keepAlive.key, Methods.setMuted.key, Methods.sendDataMessage.key] {
        let refusal = requestFilter.refusal(of: .init(), from: Self.route, to: method)
        #expect(refusal == ClientRequestFilter.notStarted)
      }
    }
  }

  @Test func `each connection without a session has its own burst limit`() async throws {
    try await withKeeper { fixture in
      let requestFilter = ClientRequestFilter(in: fixture.context)
      let refusals = (0..<Self.burst + 5).map { _ in
        requestFilter.refusal(of: .init(), from: Self.route, to: Methods.start.key)
      }
      #expect(refusals.prefix(Self.burst).allSatisfy { $0 == nil })
      #expect(refusals.dropFirst(Self.burst).allSatisfy { $0?.reason == .flooding })
      let other = requestFilter.refusal(of: .init(), from: Self.neighbour, to: Methods.start.key)
      #expect(other == nil)
    }
  }

  @Test func `a call must name the session of its own connection`() async throws {
    try await withKeeper { fixture in
      let requestFilter = ClientRequestFilter(in: fixture.context)
      try fixture.open(LocalLink(), at: Self.route)
      await fixture.answerAll()
      try fixture.open(LocalLink(), at: Self.neighbour)
      await fixture.answerAll()
      let mine = try #require(fixture.context.sessions[Self.route])
      let other = try #require(fixture.context.sessions[Self.neighbour])
      let mute = Methods.setMuted.key
      let own = V1.RequestHeader(sessionID: mine.id.bytes)
      let stolen = V1.RequestHeader(sessionID: other.id.bytes)
      #expect(requestFilter.refusal(of: own, from: Self.route, to: mute) == nil)
      #expect(
        requestFilter.refusal(of: stolen, from: Self.route, to: mute)
          == ClientRequestFilter.notStarted)
      #expect(
        requestFilter.refusal(of: .init(), from: Self.route, to: mute)
          == ClientRequestFilter.notStarted)
      #expect(
        requestFilter.refusal(of: .init(), from: Self.route, to: Methods.getLimits.key) == nil)
    }
  }

  @Test func `a Stop request for a session that is still opening needs no session id`() async throws
  {
    try await withKeeper { fixture in
      let requestFilter = ClientRequestFilter(in: fixture.context)
      try fixture.open(LocalLink(), at: Self.route)
      let stop = Methods.stop.key
      #expect(requestFilter.refusal(of: .init(), from: Self.route, to: stop) == nil)
      await fixture.answerAll()
      #expect(
        requestFilter.refusal(of: .init(), from: Self.route, to: stop)
          == ClientRequestFilter.notStarted)
    }
  }

  @Test func `a client that calls too often is disconnected`() async throws {
    try await withKeeper { fixture in
      let requestFilter = ClientRequestFilter(in: fixture.context)
      let link = LocalLink()
      try fixture.open(link, at: Self.route)
      await fixture.answerAll()
      let session = try #require(fixture.context.sessions[Self.route])
      let header = V1.RequestHeader(sessionID: session.id.bytes)
      for _ in 0..<Self.burst {
        let refusal = requestFilter.refusal(of: header, from: Self.route, to: Methods.setMuted.key)
        #expect(refusal == nil)
      }
      let refusal = requestFilter.refusal(of: header, from: Self.route, to: Methods.setMuted.key)
      #expect(refusal?.reason == .flooding)
      #expect(link.ends == [refusal])
      #expect(fixture.roster.released == [.cutOff])
      let next = requestFilter.refusal(of: header, from: Self.route, to: Methods.setMuted.key)
      #expect(next == ClientRequestFilter.notStarted)
    }
  }
}
