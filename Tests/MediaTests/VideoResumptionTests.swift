import LongComputation
import MeetingModel
import RTP
import Testing

@testable import Media

/// Tests of receivers that drop a track and receive the track again, many times.
@Suite(.longComputation) struct VideoResumptionTests {
  enum Way: CaseIterable { case pauses, leaves, changesLayers }

  /// A camera that answers a request for a key frame after `delay` steps.
  private struct Stage {
    var meeting = VideoMeeting(layers: [11, 12])

    /// The steps from a request to the key frame; `nil` if the publisher sends no key frame.
    let delay: Int?
    private(set) var requests: [UInt32: Int] = [:]
    private(set) var steps = 0
    private var due: [(layer: Int, step: Int)] = []

    init(delay: Int?) {
      self.delay = delay
      meeting.publisher.frameBytes = 100
    }

    /// Advances by 10 ms and sends a frame.
    mutating func step() {
      meeting.tick()
      for ssrc in takeRequests() {
        requests[ssrc, default: 0] += 1
        if let delay { due.append((Int(ssrc) - 11, steps + delay)) }
      }
      for index in meeting.publisher.layers.indices {
        meeting.publisher.layers[index].needsKeyFrame = due.contains {
          $0.layer == index && $0.step <= steps
        }
      }
      due.removeAll { $0.step <= steps }
      for packet in meeting.publisher.nextFrame() { meeting.receive(packet) }
      meeting.now = meeting.now.advanced(byUs: 10_000)
      steps += 1
    }

    private mutating func takeRequests() -> [UInt32] {
      meeting.takeSent(to: VideoMeeting.ada).compactMap { bytes in
        var reader = RTCPReader()
        guard case .pictureLoss(_, let media)? = reader.next(in: bytes.span) else { return nil }
        return media
      }
    }

    mutating func toggle(_ way: Way) {
      switch (way, steps / 2 % 2 == 0) {
      case (_, true): meeting.want(1)
      case (.pauses, false): meeting.want(0)
      case (.leaves, false):
        meeting.router.decide([], for: VideoMeeting.grace, at: meeting.now) { _, _ in }
      case (.changesLayers, false): meeting.want(2)
      }
    }
  }

  @Test(arguments: Way.allCases, [0, 1, 4, 30, nil])
  func `a receiver that keeps dropping a track causes about one key frame a second`(
    way: Way, delay: Int?
  ) {
    var stage = Stage(delay: delay)
    for _ in 0..<1_000 {
      stage.toggle(way)
      stage.step()
    }
    for count in stage.requests.values { #expect(count <= 11) }
    #expect((1...11).contains(stage.requests[11] ?? 0))
  }

  @Test(arguments: Way.allCases)
  func `a new receiver does not wait for a receiver that keeps dropping a track`(way: Way) {
    var stage = Stage(delay: 3)
    for guest in 10..<20 {
      let key = SessionSlot(guest)
      for _ in 0..<70 {
        stage.toggle(way)
        stage.step()
      }
      stage.meeting.want(1, by: key)
      var waited = 0
      while stage.meeting.takeVideo(to: key).isEmpty, waited < 100 {
        stage.toggle(way)
        stage.step()
        waited += 1
      }
      // Media requests a key frame at most 0.1 s after the previous request. The key frame arrives
      // 30 ms later.
      #expect(waited <= 14)
    }
  }

  @Test func `a receiver that returns after a second gets a picture immediately`() {
    var stage = Stage(delay: 0)
    stage.meeting.want(1)
    stage.step()
    stage.meeting.want(0)
    for _ in 0..<100 { stage.step() }
    _ = stage.meeting.takeVideo()
    stage.meeting.want(1)
    stage.step()
    #expect(!stage.meeting.takeVideo().isEmpty)
    #expect(stage.requests == [11: 2])
  }
}
