import Bus
import Ownership
import ZMTP
import ZeroMQ

/// Where a media instance listens and by which numbers it works.
struct MediaConfiguration: Sendable {
  /// The name of this instance, for example `media-a`.
  var instance: String

  /// Where gateways and transcription call it.
  var requests: Endpoint

  /// Where gateways subscribe to what it measures.
  var events: Endpoint

  /// Where clients send and get packets.
  var packets: [Endpoint]

  /// Which of these clients are told.
  var advertised: Endpoint

  /// How packets over tcp are secured.
  var packetSecurity = ZMTPSecurity.null

  var rules = MediaRules()

  /// Where browsers come; `nil`: they do not.
  var webRTC: WebRTCConfiguration?

  /// How those of other hosts reach it.
  var reach = Reach()

  var place: OwnerPlace {
    OwnerPlace(
      service: "media", instance: instance, requests: requests, events: events,
      others: ["media": advertised.text], reach: reach)
  }
}

/// The numbers by which media mixes and forwards.
struct MediaRules: Hashable, Sendable {
  /// Most attendees that are heard at once.
  var maxTalkers = 5

  /// The bitrate of a mix, in bits per second and channel.
  var audioBitrate = 32_000

  /// The complexity of Opus, 0-10: what the processor may spend on sounding better.
  var audioComplexity = 5

  /// Larger packets are dropped and counted.
  var maxPacketBytes = 1_500

  /// How long sessions of a vanished gateway go on.
  var gatewayGrace = Duration.seconds(15)

  /// How long a gateway may be silent before it has vanished and the grace begins.
  var gatewaySilence = Duration.milliseconds(3_200)

  /// How long a gateway may be silent before it is forgotten, and its sessions with it.
  var gatewayEnd: Duration { gatewaySilence + gatewayGrace }

  /// How long a connection may belong to nobody; then it is ended.
  var unauthenticatedLimit = Duration.seconds(10)

  /// A thread that stood still for so long forwards nothing until its gateways have said what
  /// waited. Shorter than they wait for an answer, by more than a message takes.
  var standstill = Duration.milliseconds(150)

  /// How long a gateway has to say that.
  var fenceTimeout = Duration.seconds(5)

  /// The same for the mix.
  var audio: MeetingAudioSettings {
    var settings = MeetingAudioSettings()
    settings.maxSpeakers = maxTalkers
    settings.complexity = audioComplexity
    settings.monoBitrate = audioBitrate
    settings.stereoBitrate = 2 * audioBitrate
    settings.wideBandBitrate = min(audioBitrate, settings.wideBandBitrate)
    return settings
  }

  /// The same for the videos.
  var video: VideoRules {
    var rules = VideoRules()
    rules.maximumPacketBytes = maxPacketBytes
    return rules
  }

  /// Length of an audio packet.
  static let audioPacket = Duration.milliseconds(20)

  /// How often levels are told to presence.
  static let levelInterval = Duration.milliseconds(200)

  /// How often it is looked for news about links and tracks, for video-tiles.
  static let videoInterval = Duration.milliseconds(100)

  /// How often clients are told what media measures, and video-tiles what links carry.
  static let reportInterval = Duration.seconds(1)
}
