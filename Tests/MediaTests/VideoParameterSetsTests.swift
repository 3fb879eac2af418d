import MeetingModel
import RTP
import Testing

@testable import Media

@Suite struct VideoParameterSetsTests {
  private var meeting = VideoMeeting(layers: [11], codec: .h264)
  private var camera = H264Publisher(ssrc: 11)
  private var viewing = H264Viewing()

  /// Sends frames of the camera. If `isKey` is true, the first frame is a key frame.
  private mutating func film(_ frames: Int, isKey: Bool = false) {
    if isKey { camera.needsKeyFrame = true }
    for _ in 0..<frames {
      for packet in camera.nextFrame() { meeting.receive(packet) }
      meeting.now = meeting.now.advanced(byUs: 33_333)
    }
  }

  /// Returns the packets that Grace received since the last call.
  @discardableResult
  private mutating func watch() -> [[UInt8]] {
    let packets = meeting.takeVideo()
    viewing.watch(packets)
    return packets
  }

  private var numbersGoOn: Bool {
    zip(viewing.packets, viewing.packets.dropFirst()).allSatisfy {
      $0.sequence.distance(to: $1.sequence) == 1
    }
  }

  @Test mutating func `a late viewer gets earlier parameter sets before its first key frame`()
    throws
  {
    film(5)
    meeting.want(1)
    film(3)
    film(4, isKey: true)
    let packets = watch()
    let first = try #require(packets.first)
    let parsed = try #require(RTPPacket(first))
    #expect(Array(first[parsed.payload.lowerBound...]) == H264Publisher.aggregate)
    #expect(parsed.payloadType == 97)
    #expect(!parsed.isMarked)
    #expect(parsed.timestamp == viewing.packets[1].timestamp)
    #expect(numbersGoOn)
    #expect(viewing.frames.map(\.index) == [8, 9, 10, 11])
    #expect(viewing.frames.map(\.hasParameterSets) == [true, false, false, false])
    #expect(viewing.lostPackets == 0)
  }

  @Test mutating func `a viewer that has the parameter sets does not get them again`() {
    meeting.want(1)
    film(3)
    film(3, isKey: true)
    watch()
    #expect(viewing.frames.map(\.index) == Array(0..<6))
    #expect(viewing.frames.map(\.hasParameterSets) == [true] + Array(repeating: false, count: 5))
    #expect(viewing.packets.count == 1 + 6 * 2)
  }

  @Test
  mutating func `a viewer that requests a key frame gets the parameter sets with the key frame`() {
    meeting.want(1)
    film(3)
    meeting.requestKeyFrame()
    film(3)
    film(3, isKey: true)
    film(3, isKey: true)
    watch()
    #expect(numbersGoOn)
    #expect(viewing.frames.map(\.index) == Array(0..<12))
    #expect(viewing.frames.indices.filter { viewing.frames[$0].hasParameterSets } == [0, 6])
  }

  @Test mutating func `a viewer gets the newest parameter sets`() {
    film(2)
    camera.parameterSets = [0, 0, 1, 0x67, 0x42, 0xC0, 0x1F, 0xDA, 2, 0x80, 0xBF, 0xE5, 0x80]
    film(2, isKey: true)
    meeting.want(1)
    film(2, isKey: true)
    let payload = watch().first?.dropFirst(12) ?? []
    var newer = H264Publisher.aggregate
    newer[6] = 0x1F
    #expect(Array(payload) == newer)
  }

  @Test mutating func `a NACK is answered with the same parameter sets, even after newer sets`()
    throws
  {
    film(2)
    meeting.want(1)
    film(2, isKey: true)
    let packets = watch()
    camera.parameterSets = [0, 0, 1, 0x67, 0x42, 0xC0, 0x1F, 0xDA, 2, 0x80, 0xBF, 0xE5, 0x80]
    film(2, isKey: true)
    watch()
    let numbers = try packets.map { try #require(RTPPacket($0)).sequence }
    var writer = RTCPWriter()
    writer.addNack(sender: 5, media: VideoMeeting.trackSSRC, missing: numbers.span)
    meeting.receive(writer.bytes, from: VideoMeeting.grace)
    #expect(meeting.takeVideo() == packets)
  }

  @Test func `after a change of layer, a viewer gets the parameter sets of the new layer`() throws {
    var meeting = VideoMeeting(layers: [11, 12], codec: .h264)
    var cameras = [H264Publisher(ssrc: 11), H264Publisher(ssrc: 12)]
    func film(_ frames: Int) {
      for _ in 0..<frames {
        for index in cameras.indices {
          for packet in cameras[index].nextFrame() { meeting.receive(packet) }
        }
        meeting.now = meeting.now.advanced(byUs: 33_333)
      }
    }
    meeting.want(1)
    film(3)
    meeting.want(2)
    cameras[1].needsKeyFrame = true
    film(3)
    meeting.want(1)
    cameras[0].needsKeyFrame = true
    film(3)
    var viewing = H264Viewing()
    viewing.watch(meeting.takeVideo())
    let sets = viewing.frames.filter(\.hasParameterSets)
    #expect(sets.map(\.index) == [0, 3, 6])
    #expect(viewing.lostPackets == 0)
  }

  @Test mutating func `parameter sets in separate packets are not sent twice`() {
    film(1)
    meeting.want(1)
    meeting.receive(camera.packet(Array(H264Publisher.aggregate[3..<13])))
    meeting.receive(camera.packet(Array(H264Publisher.aggregate[15...])))
    film(1, isKey: true)
    #expect(watch().count == 2 + 2)
    #expect(viewing.frames.map(\.hasParameterSets) == [true])
  }

  @Test(arguments: [false, true])
  func `a key frame that lacks a parameter set gets the set from earlier packets`(
    isAggregated: Bool
  ) {
    // The publisher sends the sequence parameters with each key frame, and the picture parameters
    // only once.
    var meeting = VideoMeeting(layers: [11], codec: .h264)
    var camera = H264Publisher(ssrc: 11)
    for packet in camera.nextFrame() { meeting.receive(packet) }
    meeting.want(1)
    let sequence = Array(H264Publisher.aggregate[1..<13])
    if isAggregated {
      meeting.receive(
        camera.packet([0x78] + sequence + [0, 4, 0x65, 0x88, 0, 1], isMarked: true))
    } else {
      meeting.receive(camera.packet(Array(sequence[2...])))
      camera.needsKeyFrame = true
      for packet in camera.nextFrame() { meeting.receive(packet) }
    }
    let packets = meeting.takeVideo()
    let places = packets.indices.filter { Array(packets[$0][12...]) == H264Publisher.aggregate }
    #expect(places == [isAggregated ? 0 : 1])
    var viewing = H264Viewing()
    viewing.watch(packets)
    #expect(packets.count == (isAggregated ? 2 : 4))
    #expect(Set(viewing.packets.map(\.timestamp)).count == 1)
    #expect(
      zip(viewing.packets, viewing.packets.dropFirst()).allSatisfy {
        $0.sequence.distance(to: $1.sequence) == 1
      })
  }

  @Test mutating func `parameter sets wait with their key frame for room on the link`() {
    film(2)
    meeting.want(1)
    meeting.router.measure(backlog: 1 << 20, of: VideoMeeting.grace, at: meeting.now)
    film(2, isKey: true)
    #expect(watch().isEmpty)
    meeting.router.measure(backlog: 0, of: VideoMeeting.grace, at: meeting.now)
    meeting.tick()
    watch()
    #expect(viewing.frames.map(\.hasParameterSets) == [true, false])
    #expect(numbersGoOn)
  }

  @Test
  mutating func `many huge parameter sets cause neither large packets nor additional packets`() {
    film(1)
    for id in 0..<2_000 {
      var unit: [UInt8] = id % 2 == 0 ? [0x67, 0x42, 0xC0, 0x1E] : [0x68]
      unit.append(0x04 | UInt8(id % 251))
      unit += [UInt8](repeating: 7, count: [10, 500, 1_400][id % 3])
      meeting.receive(camera.packet(unit))
    }
    _ = meeting.takeVideo()
    meeting.want(1)
    film(3, isKey: true)
    let packets = watch()
    #expect(packets.count == 1 + 3 * 2)
    #expect(packets.allSatisfy { $0.count <= H264ParameterSets.maximumPayloadBytes + 12 })
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `a late packet gets its own number despite inserted parameter sets`(seed: UInt64) {
    var meeting = VideoMeeting(seed: seed, layers: [11], codec: .h264)
    var camera = H264Publisher(ssrc: 11)
    var delayed: [[UInt8]] = []
    var packets: [[UInt8]] = []
    meeting.want(1)
    for frame in 0..<300 {
      if frame % 10 == 5 { meeting.requestKeyFrame() }
      if frame % 10 == 9 { camera.needsKeyFrame = true }
      let late = delayed
      delayed = []
      for packet in camera.nextFrame() {
        if Int.random(in: 0..<10, using: &meeting.random) == 0 {
          delayed.append(packet)
        } else {
          meeting.receive(packet)
        }
      }
      for packet in late { meeting.receive(packet) }
      meeting.now = meeting.now.advanced(byUs: 33_333)
      packets += meeting.takeVideo()
    }
    let numbers = packets.compactMap { RTPPacket($0)?.sequence }
    #expect(Set(numbers).count == packets.count)
    var viewing = H264Viewing()
    viewing.watch(packets)
    #expect(viewing.frames.count > 280)
    let indices = viewing.frames.map(\.index)
    #expect(zip(indices, indices.dropFirst()).allSatisfy { $0 < $1 })
    #expect(viewing.frames.count { $0.hasParameterSets } > 20)
  }
}
