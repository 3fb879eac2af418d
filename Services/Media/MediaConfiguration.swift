import Bus
import Ownership
import ZMTP
import ZeroMQ

/// The endpoints and rules of a media instance.
struct MediaConfiguration: Sendable {
  /// The name of this instance, for example `media-a`.
  var instance: String

  /// The endpoint for calls of gateways and transcription.
  var requests: Endpoint

  /// The endpoint at which gateways subscribe to media's events.
  var events: Endpoint

  /// The endpoints at which clients send and receive packets.
  var packets: [Endpoint]

  /// The one of these endpoints that clients are given.
  var advertised: Endpoint

  /// The security of packets over tcp.
  var packetSecurity = ZMTPSecurity.null

  var rules = MediaRules()

  /// The configuration for browsers; `nil` if media accepts none.
  var webRTC: WebRTCConfiguration?

  /// The ways in which other hosts reach the instance.
  var reach = Reach()

  var place: OwnerPlace {
    OwnerPlace(
      service: "media", instance: instance, requests: requests, events: events,
      others: ["media": advertised.text], reach: reach)
  }
}

/// The parameters of mixing and forwarding.
struct MediaRules: Hashable, Sendable {
  /// The maximum number of attendees that are heard at once.
  var maxTalkers = 5

  /// The bitrate of a mix, in bit/s for each channel.
  var audioBitrate = 32_000

  /// The complexity of Opus, 0-10: more processor time for better sound.
  var audioComplexity = 5

  /// The maximum size of a packet.
  ///
  /// Larger packets are dropped and counted.
  var maxPacketBytes = 1_500

  /// The time for which sessions of a lost gateway continue.
  var gatewayGrace = Duration.seconds(15)

  /// The time without a message after which a gateway is lost and the grace begins.
  var gatewaySilence = Duration.milliseconds(3_200)

  /// The time without a message after which a gateway is removed with its sessions.
  var gatewayEnd: Duration { gatewaySilence + gatewayGrace }

  /// The time after which a connection without a ticket is closed.
  var unauthenticatedLimit = Duration.seconds(10)

  /// The stall after which a thread forwards nothing until its gateways have echoed the fence.
  ///
  /// It is shorter than the timeout of gateways' calls, by more than a message takes.
  var standstill = Duration.milliseconds(150)

  /// The time within which a gateway must echo the fence.
  var fenceTimeout = Duration.seconds(5)

  /// The settings of the mix.
  var audio: MeetingAudioSettings {
    var settings = MeetingAudioSettings()
    settings.maxSpeakers = maxTalkers
    settings.complexity = audioComplexity
    settings.monoBitrate = audioBitrate
    settings.stereoBitrate = 2 * audioBitrate
    settings.wideBandBitrate = min(audioBitrate, settings.wideBandBitrate)
    return settings
  }

  /// The rules of video.
  var video: VideoRules {
    var rules = VideoRules()
    rules.maximumPacketBytes = maxPacketBytes
    return rules
  }

  /// The length of an audio packet.
  static let audioPacket = Duration.milliseconds(20)

  /// The interval of the reports of levels to presence.
  static let levelInterval = Duration.milliseconds(200)

  /// The interval of the checks for changes of links and tracks, for video-tiles.
  static let videoInterval = Duration.milliseconds(100)

  /// The interval of the metrics for clients and of the unchanged reports for video-tiles.
  static let reportInterval = Duration.seconds(1)
}
