import LongComputation
import RTP
import TestSupport
import Testing

@testable import Media

/// Tests of key frame requests to browsers, which ignore some requests.
@Suite(.longComputation) struct KeyFrameRequestPaceTests {
  /// A meeting with two layers of a browser's camera, after the first frame.
  private func meeting(ofBrowser isBrowser: Bool) -> VideoMeeting {
    var meeting = VideoMeeting(layers: [11, 12])
    meeting.router.setPublisher(
      VideoMeeting.ada, of: VideoMeeting.tile, ignoresEarlyRequests: isBrowser)
    meeting.want(1)
    #expect(requests(in: &meeting) == [11])
    meeting.sendFrame()
    return meeting
  }

  /// Returns the layers of the key frame requests since the last call.
  private func requests(in meeting: inout VideoMeeting) -> [UInt32] {
    meeting.takeSent(to: VideoMeeting.ada).compactMap { bytes in
      var reader = RTCPReader()
      guard case .pictureLoss(_, let media)? = reader.next(in: bytes.span) else { return nil }
      return media
    }
  }

  /// Advances a meeting until the router requests a key frame. Returns the time in milliseconds.
  private func waitForRequest(of layer: UInt32, in meeting: inout VideoMeeting) -> Int {
    var waited = 0
    while waited < 1_000 {
      if requests(in: &meeting) == [layer] { return waited }
      meeting.now = meeting.now.advanced(byUs: 10_000)
      meeting.tick()
      waited += 10
    }
    return waited
  }

  @Test(arguments: [true, false])
  func `after a key frame, a request for a change of layers waits`(isBrowser: Bool) {
    var meeting = meeting(ofBrowser: isBrowser)
    meeting.want(2)
    // The first frame took 33 ms.
    #expect(waitForRequest(of: 12, in: &meeting) == 320)
  }

  @Test(arguments: [true, false])
  func `a request for a new receiver waits only if the publisher would ignore it`(isBrowser: Bool) {
    var meeting = meeting(ofBrowser: isBrowser)
    meeting.want(2, by: SessionSlot(2))
    #expect(waitForRequest(of: 12, in: &meeting) == (isBrowser ? 320 : 0))
  }

  @Test func `the key frame of a request for one layer also serves the other layer`() {
    var meeting = meeting(ofBrowser: true)
    meeting.want(2)
    meeting.publisher.layers[1].needsKeyFrame = true
    meeting.sendFrame()
    for _ in 0..<200 {
      meeting.now = meeting.now.advanced(byUs: 10_000)
      meeting.tick()
    }
    #expect(requests(in: &meeting).isEmpty)
  }

  @Test func `a request that has no answer yet does not delay a request for another layer`() {
    var meeting = VideoMeeting(layers: [11, 12])
    meeting.router.setPublisher(
      VideoMeeting.ada, of: VideoMeeting.tile, ignoresEarlyRequests: true)
    meeting.want(1)
    meeting.want(2, by: SessionSlot(2))
    #expect(requests(in: &meeting) == [11, 12])
  }

  /// A receiver changes the layer of a browser's camera when it has got the last layer for a while.
  @Test(arguments: 1...10 as ClosedRange<UInt64>, [20, 50, 120])
  func `layer switches of a browser's camera take less than a second`(
    seed: UInt64, answerMs: Int64
  ) {
    var meeting = meeting(ofBrowser: true)
    var random = SeededGenerator(seed: seed)
    var browser = Browser(answerUs: answerMs * 1_000, acceptedAt: meeting.now)
    var (wanted, since, restsUntil) = (1, meeting.now, meeting.now)
    var (longest, switches): (Int64, Int) = (0, 0)
    var isDone = true
    for step in 0..<6_000 {
      if isDone, meeting.now >= restsUntil {
        (wanted, since, isDone) = (3 - wanted, meeting.now, false)
        meeting.want(wanted)
      }
      if step % 2 == 0 { meeting.tick() }
      for ssrc in requests(in: &meeting) { browser.take(ssrc, at: meeting.now) }
      if step % 7 == 0 {
        if browser.takeKeyFrame(at: meeting.now) {
          for layer in 0..<2 { meeting.publisher.layers[layer].needsKeyFrame = true }
        }
        for packet in meeting.publisher.nextFrame() { meeting.receive(packet) }
      }
      let layers = meeting.takeVideo().compactMap { FrameLabel(packet: $0)?.layer }
      if !isDone, layers.last == wanted {
        isDone = true
        switches += 1
        longest = max(longest, meeting.now.microseconds(since: since))
        restsUntil = meeting.now.advanced(byUs: .random(in: 0..<1_200_000, using: &random))
      }
      meeting.now = meeting.now.advanced(byUs: 10_000)
    }
    #expect(switches > 30)
    #expect(longest < 1_000_000)
    #expect(browser.ignored == 0)
    #expect(browser.leastInterval >= 1_000_000)
  }
}

/// A browser that answers key frame requests as libwebrtc does: with key frames in all layers, and
/// not within 300 ms after the last answered request.
private struct Browser {
  /// The time from a request to the key frame, without the wait for the next picture.
  let answerUs: Int64
  private var acceptedAt: MonotonicTime
  private var due: MonotonicTime?
  private var last: [UInt32: MonotonicTime] = [:]
  private(set) var ignored = 0

  /// The least time between two requests for the same layer, in microseconds.
  private(set) var leastInterval = Int64.max

  init(answerUs: Int64, acceptedAt: MonotonicTime) {
    (self.answerUs, self.acceptedAt) = (answerUs, acceptedAt)
  }

  mutating func take(_ ssrc: UInt32, at now: MonotonicTime) {
    if let last = last[ssrc] { leastInterval = min(leastInterval, now.microseconds(since: last)) }
    last[ssrc] = now
    guard now.microseconds(since: acceptedAt) >= 300_000 else {
      ignored += 1
      return
    }
    acceptedAt = now
    due = now.advanced(byUs: answerUs)
  }

  mutating func takeKeyFrame(at now: MonotonicTime) -> Bool {
    guard let due, due <= now else { return false }
    self.due = nil
    return true
  }
}
