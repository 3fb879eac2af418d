import Bus
import Ownership
import ZMTP
import ZeroMQ

/// The endpoints and rules of an instance of `media`.
struct MediaConfiguration: Sendable {
  /// The name of this instance, for example `media-a`.
  var instance: String

  /// The endpoint for calls of gateways and of `transcription`.
  var requests: Endpoint

  /// The endpoint at which gateways subscribe to the events of `media`.
  var events: Endpoint

  /// The endpoints at which clients send and receive packets.
  var packets: [Endpoint]

  /// The endpoint that gateways send to clients; one of ``packets``.
  var advertised: Endpoint

  /// The security of packets over tcp.
  var packetSecurity = ZMTPSecurity.null

  var rules = MediaRules()

  /// The configuration for browsers; `nil` if the instance accepts no browsers.
  var webRTC: WebRTCConfiguration?

  /// The endpoints at which other hosts reach the instance.
  var reach = HostEndpoints()

  var place: OwnerInstance {
    OwnerInstance(
      service: "media", instance: instance, requests: requests, events: events,
      others: ["media": advertised.text], reach: reach)
  }
}

/// The parameters of mixing and forwarding.
struct MediaRules: Hashable, Sendable {
  /// The maximum number of active speakers.
  var maxTalkers = 5

  /// The bitrate of a mix, in bit/s per channel.
  var audioBitrate = 32_000

  /// The complexity of Opus, 0-10. A higher complexity needs more processor time for better sound.
  var audioComplexity = 5

  /// The maximum size of a packet, in bytes.
  ///
  /// The service drops and counts larger packets.
  var maxPacketBytes = 1_500

  /// How long sessions of a lost gateway continue.
  var gatewayGrace = Duration.seconds(15)

  /// How long a gateway may send nothing before the service considers the gateway lost. Then
  /// ``gatewayGrace`` begins.
  var gatewaySilence = Duration.milliseconds(3_200)

  /// How long a gateway may send nothing before the service removes the gateway and its sessions.
  var gatewayEnd: Duration { gatewaySilence + gatewayGrace }

  /// How long a connection may take to send a ticket before the service closes it.
  var unauthenticatedLimit = Duration.seconds(10)

  /// The minimum length of a stall of the process after which the service raises its
  /// ``ForwardingStallFence``.
  ///
  /// While the fence is up, the service forwards nothing. A gateway waits longer for the answer to
  /// a mute (200 ms). The difference of 50 ms is greater than the transit time of a message.
  var standstill = Duration.milliseconds(150)

  /// How long a gateway may take to return the number of the ``ForwardingStallFence``. After this
  /// time, the service no longer waits for that gateway.
  var fenceTimeout = Duration.seconds(5)

  /// The settings of the mix.
  var audio: AudioMixSettings {
    var settings = AudioMixSettings()
    settings.maxSpeakers = maxTalkers
    settings.complexity = audioComplexity
    settings.monoBitrate = audioBitrate
    settings.stereoBitrate = 2 * audioBitrate
    settings.wideBandBitrate = min(audioBitrate, settings.wideBandBitrate)
    return settings
  }

  /// The rules of video.
  var video: VideoForwardingParameters {
    var rules = VideoForwardingParameters()
    rules.maximumPacketBytes = maxPacketBytes
    return rules
  }

  /// The length of the sound in an audio packet.
  static let audioPacket = Duration.milliseconds(20)

  /// The interval at which the service reports audio levels to `presence`.
  static let levelInterval = Duration.milliseconds(200)

  /// The interval at which the service checks for changes of links and tracks that it must report
  /// to `video-tiles`.
  static let videoInterval = Duration.milliseconds(100)

  /// The interval at which the service reports metrics to clients, and repeats unchanged reports to
  /// `video-tiles`.
  static let reportInterval = Duration.seconds(1)
}
