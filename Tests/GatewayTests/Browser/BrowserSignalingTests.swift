import MeetingModel
import Testing
import Wire

@testable import Gateway

@Suite struct BrowserSignalingTests {
  typealias Frame = Signaling.SdkSignalFrame

  private func frame(_ kind: Frame.Kind, _ fill: (inout Frame) -> Void = { _ in }) -> Frame {
    var frame = Frame(timestampMs: 1, type: kind)
    fill(&frame)
    return frame
  }

  private var join: Frame { frame(.join) { $0.join = .init(protocolVersion: 2, flags: 2) } }

  private func offer(_ sdp: String, duplex: Signaling.SdkStreamServiceType = .rx) -> Frame {
    frame(.subscribe) { $0.sub = .init(duplex: duplex, sdpOffer: sdp) }
  }

  /// Returns the signaling of a client that has joined.
  private func joined() -> BrowserSignaling {
    var talk = BrowserSignaling()
    talk.take(join, at: 1)
    talk.hasJoined()
    _ = talk.takeCommands()
    return talk
  }

  private func sent(_ talk: inout BrowserSignaling) -> [Frame] {
    talk.takeCommands().compactMap { if case .send(let frame) = $0 { frame } else { nil } }
  }

  @Test func `a ping is answered even before the client joins`() {
    var talk = BrowserSignaling()
    talk.take(frame(.pingPong) { $0.pingPong = .init(type: .ping, pingID: 7) }, at: 5)
    #expect(
      talk.takeCommands() == [
        .send(
          Frame(timestampMs: 5, type: .pingPong, pingPong: .init(type: .pong, pingID: 7)))
      ])
    talk.take(frame(.pingPong) { $0.pingPong = .init(type: .pong, pingID: 7) }, at: 5)
    #expect(talk.takeCommands().isEmpty)
  }

  @Test func `a client joins once, and only with a supported version`() {
    var talk = BrowserSignaling()
    talk.take(frame(.join) { $0.join = .init(protocolVersion: 3) }, at: 1)
    #expect(talk.takeCommands() == [.close(.badFrame)])
    talk.take(join, at: 1)
    guard case .join(let wish)? = talk.takeCommands().first else {
      Issue.record("It did not join.")
      return
    }
    #expect(wish.wantsPresence && wish.audioSession == nil && talk.phase == .joining)
    talk.take(join, at: 1)
    #expect(talk.takeCommands() == [.close(.badFrame)])
  }

  @Test func `offers are answered once each, in order and one at a time`() {
    var talk = joined()
    talk.take(offer("one"), at: 1)
    talk.take(offer("two", duplex: .duplex), at: 1)
    #expect(talk.takeCommands() == [.negotiate(.init(offer: "one"))])
    talk.negotiated(.success(.init(sdp: "first")), at: 2)
    let commands = talk.takeCommands()
    #expect(commands.last == .negotiate(.init(offer: "two", sendsVideo: true)))
    talk.negotiated(.success(.init(sdp: "second")), at: 3)
    let answer = sent(&talk).first
    #expect(answer?.suback?.sdpAnswer == "second" && answer?.error == nil)
    for _ in 0..<4 { talk.take(offer("more"), at: 4) }
    _ = talk.takeCommands()
    talk.take(offer("too many"), at: 4)
    #expect(talk.takeCommands() == [.close(.badFrame)])
  }

  @Test func `a client repeats its mute state in SUBSCRIBE and changes it in AUDIO_CONTROL`() {
    var talk = joined()
    talk.take(
      frame(.subscribe) { $0.sub = .init(duplex: .duplex, sdpOffer: "sdp", audioMuted: false) },
      at: 1)
    #expect(talk.takeCommands().first == .repeatMuted(false))
    talk.take(frame(.audioControl) { $0.audioControl = .init(muted: false) }, at: 1)
    #expect(talk.takeCommands().last == .setMuted(false))
  }

  @Test func `a SUBSCRIBE lists everything that the client sends and receives`() {
    var talk = joined()
    let audio = Signaling.SdkStreamDescriptor(streamID: 1, mediaType: .audio)
    let low = Signaling.SdkStreamDescriptor(framerate: 15, maxBitrateKbps: 300, mediaType: .video)
    talk.take(
      frame(.subscribe) {
        $0.sub = .init(
          duplex: .duplex, sendStreams: [audio, low], receiveStreamIDs: [0, 15, 0, 21],
          sdpOffer: "sdp",
          videoSubscriptionConfiguration: [
            .init(mid: "2", priority: .max - 4, targetBitrateKbps: 600, groupID: 3),
            .init(mid: String(repeating: "m", count: 65), priority: 0, groupID: 5),
          ])
      }, at: 1)
    guard case .negotiate(let said)? = talk.takeCommands().first else {
      Issue.record("It did not negotiate.")
      return
    }
    #expect(said.sendsVideo && said.streamIDs == [15, 21])
    #expect(said.encodings == [.init(maxBitrateKbps: 300, framesPerSecond: 15)])
    #expect(said.wishes.map(\.priority) == [.low, .lowest])
    #expect(said.wishes.map(\.target) == [VideoSize(640, 360), nil])
    #expect(said.wishes.map(\.mid) == ["2", ""])
  }

  @Test func `the C++ client names no media type and lists its audio first`() {
    let said = BrowserSubscription(
      .init(duplex: .duplex, sendStreams: [.init(), .init(maxBitrateKbps: 900)], sdpOffer: "sdp"))
    #expect(said.encodings == [.init(maxBitrateKbps: 900, framesPerSecond: 0)])
  }

  @Test
  func `only the first 256 streams and the first 256 preferences of a SUBSCRIBE have an effect`() {
    let said = BrowserSubscription(
      .init(
        receiveStreamIDs: Array(0...100_000),
        videoSubscriptionConfiguration: (0...10_000).map { .init(mid: "\($0)", groupID: 1) }))
    #expect(said.streamIDs.count == 256 && said.wishes.count == 256)
  }

  @Test
  func `a browser's video changes and pauses have an effect only after the browser has joined`() {
    var talk = BrowserSignaling()
    let update = frame(.remoteVideoUpdate) {
      $0.remoteVideoUpdate = .init(
        addedOrUpdatedVideoSubscriptions: [.init(mid: "2", streamID: 13)],
        removedVideoSubscriptionMids: ["3"])
    }
    let pause = frame(.pause) { $0.pause = .init(streamIDs: [15]) }
    let resume = frame(.resume) { $0.pause = .init(streamIDs: [15]) }
    for frame in [update, pause, resume] { talk.take(frame, at: 1) }
    #expect(talk.takeCommands().isEmpty)
    talk = joined()
    for frame in [update, pause, resume, frame(.pause), frame(.remoteVideoUpdate)] {
      talk.take(frame, at: 1)
    }
    let change = VideoSubscriptionChange(
      .init(
        addedOrUpdatedVideoSubscriptions: [.init(mid: "2", streamID: 13)],
        removedVideoSubscriptionMids: ["3"]))
    #expect(
      talk.takeCommands() == [
        .changePictures(change), .setPaused(true, [15]), .setPaused(false, [15]),
      ])
  }

  @Test func `the answer to an offer gives the reason why media refused the camera`() {
    var talk = joined()
    talk.take(offer("one", duplex: .duplex), at: 1)
    _ = talk.takeCommands()
    talk.negotiated(
      .success(.init(sdp: "sdp", refusal: Status(.resourceExhausted, "Full."))), at: 2)
    let answer = sent(&talk).first
    #expect(answer?.error?.status == 206 && answer?.suback?.sdpAnswer == "sdp")
  }

  @Test(
    arguments: [
      ([], nil), ([.none, .bandwidthProbing], .bandwidthProbing), ([.none], .some(.none)),
      (
        [.none, .bandwidthProbing, .bandwidthProbingAndVideoQualityAdaption],
        .bandwidthProbingAndVideoQualityAdaption
      ),
    ] as [([Signaling.SdkServerSideNetworkAdaption], Signaling.SdkServerSideNetworkAdaption?)])
  func `JOIN_ACK chooses the strongest adaption that the client supports`(
    supported: [Signaling.SdkServerSideNetworkAdaption],
    answer: Signaling.SdkServerSideNetworkAdaption?
  ) throws {
    let join = Signaling.SdkJoinFrame(supportedServerSideNetworkAdaptions: supported)
    #expect(try #require(BrowserJoin(join)).adaption == answer)
  }

  @Test(
    arguments: [
      (.none, .some(.none)), (.bandwidthProbing, .bandwidthProbing),
      // The gateway or the client does not support the requested adaption, so the gateway chooses
      // the most capable adaption that both support.
      (.default, .bandwidthProbing), (.bandwidthProbingAndVideoQualityAdaption, .bandwidthProbing),
    ] as [(Signaling.SdkServerSideNetworkAdaption, Signaling.SdkServerSideNetworkAdaption?)])
  func `JOIN_ACK chooses the adaption that the client asks for`(
    wish: Signaling.SdkServerSideNetworkAdaption, answer: Signaling.SdkServerSideNetworkAdaption?
  ) throws {
    let join = Signaling.SdkJoinFrame(
      serverSideNetworkAdaption: wish,
      supportedServerSideNetworkAdaptions: [.none, .bandwidthProbing])
    #expect(try #require(BrowserJoin(join)).adaption == answer)
  }

  @Test func `the roster follows the answer to a SUBSCRIBE, even if the answer is a refusal`() {
    for answer: Result<SubscribeAnswer, Status> in [
      .success(.init(sdp: "sdp")), .failure(Status(.unavailable, "Away.")),
    ] {
      var talk = joined()
      #expect(!talk.hasSubscribed && !talk.hasAnswered)
      talk.take(offer("one"), at: 1)
      #expect(talk.hasSubscribed && !talk.hasAnswered)
      talk.negotiated(answer, at: 2)
      #expect(talk.hasAnswered)
    }
  }

  @Test func `a client can state in its JOIN that it wants no media`() throws {
    for (said, wants) in [(nil, true), (false, true), (true, false)] as [(Bool?, Bool)] {
      let join = Signaling.SdkJoinFrame(protocolVersion: 2, wantsNoMedia: said)
      #expect(try #require(BrowserJoin(join)).wantsMedia == wants)
    }
  }

  @Test func `a JOIN_ACK refuses an excess content share with a status that prevents retries`() {
    let full = Status(.resourceExhausted, "All content shares are in use.")
    #expect(BrowserSessionEnd(full, isJoined: false) == .refusal(409))
    #expect(BrowserSessionEnd(full, isJoined: true) == .status(409))
    var talk = BrowserSignaling()
    talk.take(join, at: 1)
    _ = talk.takeCommands()
    talk.end(full, isJoined: false, at: 2)
    let answer = sent(&talk).first
    #expect(answer?.type == .joinAck && answer?.joinack != nil && answer?.error?.status == 409)
  }

  @Test func `a refusal by media becomes an error in the answer`() {
    var talk = joined()
    talk.take(offer("one"), at: 1)
    talk.take(offer("two"), at: 1)
    _ = talk.takeCommands()
    talk.negotiated(.failure(Status(.invalidArgument, "No offer.")), at: 1)
    #expect(sent(&talk).first?.error?.status == 400)
    talk.negotiated(.failure(Status(.unavailable, "Away.")), at: 1)
    #expect(sent(&talk).first?.error?.status == 503)
  }

  @Test func `a message that is not accepted is returned with an ingest time of zero`() {
    var talk = joined()
    let request = V1.SendDataMessageRequest(topic: "chat", data: [1])
    talk.sent(request, .success(.init(outcome: .accepted(.init()))), at: 1)
    #expect(talk.takeCommands().isEmpty)
    for result: Result<V1.SendDataMessageReply, Status> in [
      .success(.init(outcome: .throttled(.init()))),
      .failure(Status(.unavailable, "Away.")),
    ] {
      talk.sent(request, result, at: 1)
      let message = sent(&talk).first?.dataMessage?.messages.first
      #expect(message?.ingestTimeNs == 0 && message?.topic == "chat" && message?.data == [1])
    }
    talk.sent(request, .failure(Status(.invalidArgument, "Wrong topic.")), at: 1)
    #expect(sent(&talk).first?.notification?.message == "Wrong topic.")
  }

  @Test func `before the join, only pings, JOIN and LEAVE have an effect`() {
    var talk = BrowserSignaling()
    talk.take(offer("early"), at: 1)
    #expect(talk.takeCommands() == [.close(.badFrame)])
    talk.take(frame(.audioControl) { $0.audioControl = .init(muted: true) }, at: 1)
    talk.take(frame(.primaryMeetingLeave), at: 1)
    #expect(talk.takeCommands().isEmpty)
    talk.take(frame(.leave), at: 1)
    #expect(sent(&talk).map(\.type) == [.leaveAck])
  }

  @Test func `the gateway answers a LEAVE and ignores later frames`() {
    var talk = joined()
    talk.take(frame(.leave), at: 1)
    #expect(talk.takeCommands().last == .leave)
    talk.end(nil, isJoined: true, at: 1)
    talk.take(offer("late"), at: 1)
    #expect(talk.takeCommands().isEmpty)
  }

  @Test(
    arguments: [
      (
        StatusReason.meetingDeleted, SessionStatusCode.audioServerHungup,
        BrowserSessionEnd.status(410)
      ),
      (.attendeeDeleted, .audioServerHungup, .status(411)),
      (.joinedElsewhere, .audioJoinedFromAnotherDevice, .status(301)),
      (.flooding, .audioServerHungup, .status(411)),
      (.slowConsumer, .audioServerHungup, .close(.tooSlow)),
      (.keepAliveLost, .ok, .close(.silent)),
      (.draining, .ok, .close(.unavailable)),
      (.unspecified, .audioAuthenticationRejected, .status(403)),
      (.unspecified, .audioCallAtCapacity, .status(409)),
      (.unspecified, .audioCallEnded, .status(410)),
      (.unspecified, .audioServiceUnavailable, .close(.unavailable)),
    ])
  func `a session ends with a status or with a code that makes browsers reconnect`(
    reason: StatusReason, session: SessionStatusCode, ending: BrowserSessionEnd
  ) {
    let status = Status(.unavailable, "", session: session, reason: reason)
    #expect(BrowserSessionEnd(status, isJoined: true) == ending)
  }

  @Test(
    arguments: [
      (SessionStatusCode.audioAuthenticationRejected, 403), (.audioCallAtCapacity, 409),
      (.audioServiceUnavailable, 503), (.audioInternalServerError, 500),
    ] as [(SessionStatusCode, UInt32)])
  func `the answer to a refused promotion contains the reason`(
    session: SessionStatusCode, error: UInt32
  ) {
    var talk = joined()
    talk.promoted(Status(.failedPrecondition, "No.", session: session), at: 1)
    let answer = sent(&talk).first
    #expect(answer?.type == .primaryMeetingJoinAck && answer?.error?.status == error)
    talk.promoted(nil, at: 1)
    #expect(sent(&talk).first?.error == nil)
  }

  @Test func `a browser that has no INDEX yet is refused only with codes that browsers know`() {
    for code in StatusCode.allCases {
      for session in [SessionStatusCode?.none] + SessionStatusCode.allCases {
        for reason in StatusReason.allCases {
          let status = Status(code, "", session: session, reason: reason)
          guard case .close(let close) = BrowserSessionEnd(status, isJoined: false) else {
            continue
          }
          let value = close.rawValue
          #expect((4500..<4600).contains(value) || [4400, 4403, 4410].contains(value))
        }
      }
    }
    let full = Status(.resourceExhausted, "", session: .audioCallAtCapacity, reason: .meetingFull)
    #expect(BrowserSessionEnd(full, isJoined: false) == .refusal(409))
  }
}
