import MeetingModel
import Testing

@Suite struct CapabilityTests {
  @Test(arguments: MediaDirection.allCases, MediaDirection.allCases)
  func `only an attendee who may receive video may receive content`(
    video: MediaDirection, content: MediaDirection
  ) {
    let isAllowed = !content.canReceive || video.canReceive
    for audio in MediaDirection.allCases {
      let capabilities = try? AttendeeCapabilities(audio: audio, video: video, content: content)
      #expect((capabilities != nil) == isAllowed)
    }
  }

  @Test(arguments: [
    (MediaDirection.sendReceive, true, true, "SendReceive"), (.send, true, false, "Send"),
    (.receive, false, true, "Receive"), (.none, false, false, "None"),
  ])
  func `each media direction has fixed permissions and a fixed text`(
    direction: MediaDirection, canSend: Bool, canReceive: Bool, text: String
  ) {
    #expect(direction.canSend == canSend)
    #expect(direction.canReceive == canReceive)
    #expect(MediaDirection(rawValue: text) == direction)
    #expect(MediaDirection(rawValue: text.lowercased()) == nil)
  }

  @Test(arguments: [
    (VideoLimit.hd, ContentShareLimit.fhd, MediaDirection.sendReceive, MediaDirection.sendReceive),
    (.fhd, .uhd, .sendReceive, .sendReceive),
    (.none, .fhd, .receive, .sendReceive), (.none, .uhd, .receive, .sendReceive),
    (.hd, .none, .sendReceive, .none), (.none, .none, .none, .none),
  ])
  func `the default capabilities depend on the features of the meeting`(
    video: VideoLimit, content: ContentShareLimit, expectedVideo: MediaDirection,
    expectedContent: MediaDirection
  ) throws {
    let features = try MeetingFeatures(video: video, content: content, maxAttendees: nil)
    let defaults = AttendeeCapabilities.defaults(in: features)
    #expect(defaults.audio == .sendReceive)
    #expect(defaults.video == expectedVideo)
    #expect(defaults.content == expectedContent)
    #expect(
      try AttendeeCapabilities(
        audio: .sendReceive, video: expectedVideo, content: expectedContent) == defaults)
  }

  @Test(arguments: MediaDirection.allCases)
  func `a meeting without video refuses requested video capabilities`(
    direction: MediaDirection
  ) throws {
    let features = try MeetingFeatures(video: .none, maxAttendees: nil)
    let asked = try AttendeeCapabilities(audio: .none, video: direction, content: .send)
    #expect(((try? asked.validate(askedIn: features)) != nil) == (direction == .none))
  }

  @Test(arguments: MediaDirection.allCases)
  func `a meeting without content shares refuses requested content capabilities`(
    direction: MediaDirection
  ) throws {
    let features = try MeetingFeatures(content: .none, maxAttendees: nil)
    let asked = try AttendeeCapabilities(audio: .none, video: .sendReceive, content: direction)
    #expect(((try? asked.validate(askedIn: features)) != nil) == (direction == .none))
  }

  @Test
  func `in a meeting without video, a request that names the default capabilities is refused`()
    throws
  {
    let features = try MeetingFeatures(video: .none, maxAttendees: nil)
    let error = #expect(throws: InvalidModelValue.self) {
      try AttendeeCapabilities.defaults(in: features).validate(askedIn: features)
    }
    #expect(error?.status.code == .invalidArgument)
  }

  @Test(
    arguments: [
      (VideoLimit.hd, ContentShareLimit.fhd, nil, 250), (.none, .none, nil, 250),
      (.fhd, .fhd, nil, 25),
      (.hd, .uhd, nil, 25), (.fhd, .uhd, 250, 250), (.hd, .fhd, 1, 1),
    ] as [(VideoLimit, ContentShareLimit, Int?, Int)])
  func `the maximum number of attendees is 250 by default, or 25 in high definition`(
    video: VideoLimit, content: ContentShareLimit, given: Int?, effective: Int
  ) throws {
    let features = try MeetingFeatures(video: video, content: content, maxAttendees: given)
    #expect(features.maxAttendees == effective)
  }

  @Test(arguments: [Int.min, -1, 0, 251, .max])
  func `a maximum number of attendees outside 1-250 is refused`(maximum: Int) {
    #expect(throws: InvalidModelValue.self) { try MeetingFeatures(maxAttendees: maximum) }
  }

  @Test func `without requested features, a meeting has the standard features`() throws {
    #expect(try MeetingFeatures(maxAttendees: nil) == .standard)
    #expect(!MeetingFeatures.standard.echoReduction)
    #expect(VideoLimit(rawValue: "UHD") == nil)
    #expect(ContentShareLimit(rawValue: "HD") == nil)
  }
}
