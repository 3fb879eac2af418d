import Foundation
import Testing

@testable import CarillonClientCore

struct ConfigurationTests {
  static let meetingJson = Data(
    """
    {"Meeting": {"MeetingId": "m", "ExternalMeetingId": "tea", "MediaRegion": "here",
      "MediaPlacement": {"AudioHostUrl": "h:1", "AudioFallbackUrl": "f", "SignalingUrl": "s",
        "TurnControlUrl": "t", "EventIngestionUrl": "e", "GatewayUrl": "tcp://g:7400"},
      "MeetingFeatures": {"Video": {"MaxResolution": "FHD"},
        "Content": {"MaxResolution": "None"}},
      "PrimaryMeetingId": "p", "TenantIds": []}}
    """.utf8)

  static let attendeeJson = Data(
    #"{"Attendee": {"AttendeeId": "a", "ExternalUserId": "u", "JoinToken": "secret"}}"#.utf8)

  @Test
  func `each URL is rewritten once if a configuration is made from the control API's answers`()
    throws
  {
    let configuration = MeetingSessionConfiguration(
      createMeetingResponse: try CreateMeetingResponse(json: Self.meetingJson),
      createAttendeeResponse: try CreateAttendeeResponse(json: Self.attendeeJson),
      urlRewriter: { "<\($0)>" })
    let urls = configuration.urls
    #expect(
      [urls.audioHostUrl, urls.audioFallbackUrl, urls.signalingUrl, urls.turnControlUrl]
        == ["<h:1>", "<f>", "<s>", "<t>"])
    #expect(urls.ingestionUrl == "<e>")
    #expect(urls.gatewayUrl == "<tcp://g:7400>")
    #expect(configuration.meetingId == "m")
    #expect(configuration.externalMeetingId == "tea")
    #expect(configuration.primaryMeetingId == "p")
    #expect(configuration.credentials.attendeeId == "a")
    #expect(configuration.credentials.externalUserId == "u")
    #expect(configuration.credentials.joinToken == "secret")
    #expect(configuration.meetingFeatures.videoMaxResolution === VideoResolution.videoResolutionFHD)
    #expect(configuration.meetingFeatures.contentMaxResolution === VideoResolution.videoDisabled)
    let again = MeetingSessionConfiguration(
      meetingId: "m", credentials: configuration.credentials, urls: urls,
      urlRewriter: configuration.urlRewriter)
    #expect(again.urls.signalingUrl == "<s>")
    #expect(configuration.urlRewriter("x") == "<x>")
  }

  @Test(arguments: ["", "{}", #"{"Meeting": {"MeetingId": "m"}}"#, "[1]"])
  func `an answer that lacks a required field is refused`(text: String) {
    #expect(throws: DecodingError.self) { try CreateMeetingResponse(json: Data(text.utf8)) }
    #expect(throws: DecodingError.self) { try CreateAttendeeResponse(json: Data(text.utf8)) }
  }

  @Test func `an answer without the optional fields is accepted`() throws {
    let text = """
      {"Meeting": {"MeetingId": "m", "MediaPlacement": {"AudioHostUrl": "h:1",
        "AudioFallbackUrl": "f", "SignalingUrl": "s", "TurnControlUrl": "t"}}}
      """
    let meeting = try CreateMeetingResponse(json: Data(text.utf8)).meeting
    #expect(meeting.meetingFeatures.videoMaxResolution === VideoResolution.videoResolutionHD)
    #expect(meeting.meetingFeatures.contentMaxResolution === VideoResolution.videoResolutionFHD)
    #expect(meeting.mediaPlacement.gatewayUrl == nil)
    #expect(meeting.primaryMeetingId == nil)
  }

  @Test func `credentials and URLs keep their JSON form, and decoding rewrites no URL`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let credentials = MeetingSessionCredentials(
      attendeeId: "a", externalUserId: "u", joinToken: "j")
    #expect(
      String(decoding: try encoder.encode(credentials), as: UTF8.self)
        == #"{"attendeeId":"a","externalUserId":"u","joinToken":"j"}"#)
    let urls = MeetingSessionURLs(
      audioFallbackUrl: "f", audioHostUrl: "h", turnControlUrl: "t", signalingUrl: "s",
      urlRewriter: { $0 + "!" })
    let json = try encoder.encode(urls)
    #expect(
      String(decoding: json, as: UTF8.self)
        == #"{"audioFallbackUrl":"f!","audioHostUrl":"h!","#
        + #""signalingUrl":"s!","turnControlUrl":"t!"}"#
    )
    let decoded = try JSONDecoder().decode(MeetingSessionURLs.self, from: json)
    #expect(decoded.signalingUrl == "s!")
    #expect(decoded.ingestionUrl == nil)
    let full = MeetingSessionURLs(
      audioFallbackUrl: "f", audioHostUrl: "h", turnControlUrl: "t", signalingUrl: "s",
      urlRewriter: URLRewriterUtils.defaultUrlRewriter, ingestionUrl: "i", gatewayUrl: "ipc:///g")
    #expect(
      String(decoding: try encoder.encode(full), as: UTF8.self).contains(
        #""gatewayUrl":"ipc:///g","ingestionUrl":"i""#))
  }

  @Test(arguments: [
    (nil, "hd"), ("HD", "hd"), ("fhd", "fhd"), ("None", "none"), ("UHD", "uhd"), ("oops", "uhd"),
  ])
  func `a video feature is read in any letter case, and an unknown feature sets no limit`(
    text: String?, expected: String
  ) {
    let resolutions = [
      "none": VideoResolution.videoDisabled, "hd": .videoResolutionHD, "fhd": .videoResolutionFHD,
      "uhd": .videoResolutionUHD,
    ]
    #expect(
      MeetingFeatures(video: text, content: nil).videoMaxResolution === resolutions[expected])
  }

  @Test func `a start configuration has defaults for the values that are not given`() {
    let resolution = VideoResolution.videoResolutionFHD
    let defaults =
      "audioMode: stereo48K, audioDeviceCapabilities: inputAndOutput, callKitEnabled: false, "
      + "enableAudioRedundancy: true, videoMaxResolution: { width: 1280, height: 720 }, "
      + "reconnectTimeoutMs: 180000"
    #expect(AudioVideoConfiguration().description == defaults)
    #expect(AudioVideoConfiguration(audioMode: .mono16K).audioMode == .mono16K)
    #expect(
      AudioVideoConfiguration(audioDeviceCapabilities: .outputOnly).audioDeviceCapabilities
        == .outputOnly)
    #expect(AudioVideoConfiguration(callKitEnabled: true).callKitEnabled)
    #expect(!AudioVideoConfiguration(enableAudioRedundancy: false).enableAudioRedundancy)
    #expect(
      AudioVideoConfiguration(videoMaxResolution: resolution).videoMaxResolution === resolution)
    #expect(AudioVideoConfiguration(reconnectTimeoutMs: 5).reconnectTimeoutMs == 5)
    #expect(AudioVideoConfiguration(audioMode: .mono48K, callKitEnabled: true).callKitEnabled)
    #expect(
      !AudioVideoConfiguration(
        audioMode: .mono48K, callKitEnabled: true, enableAudioRedundancy: false
      ).enableAudioRedundancy)
    #expect(
      AudioVideoConfiguration(
        audioMode: .mono48K, callKitEnabled: true, enableAudioRedundancy: false,
        videoMaxResolution: resolution
      ).videoMaxResolution === resolution)
    #expect(
      AudioVideoConfiguration(
        audioMode: .mono48K, audioDeviceCapabilities: .none, callKitEnabled: true,
        enableAudioRedundancy: false, videoMaxResolution: resolution
      ).description
        == "audioMode: mono48K, audioDeviceCapabilities: none, callKitEnabled: true, "
        + "enableAudioRedundancy: false, videoMaxResolution: { width: 1920, height: 1080 }, "
        + "reconnectTimeoutMs: 180000")
  }
}
