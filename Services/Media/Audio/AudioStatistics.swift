import MeetingModel
import RTP

/// The statistics of one participant's audio.
///
/// The counts start when the meeting adds the participant.
struct AudioStatistics: Hashable, Sendable {
  /// Packets that arrived, including packets that the meeting refused.
  var packets = 0
  /// Packets that had not arrived when the mixer needed them.
  var lost = 0
  /// Concealed packets, not counting the packets that `media` recovered from copies.
  var concealed = 0
  /// Concealed packets of other participants in the mixes that the participant heard.
  var heardConcealed = 0
  /// Lost packets that `media` recovered from the copy in a later packet.
  var recovered = 0
  /// Packets that arrived after the mixer needed them.
  var late = 0
  /// Packets that are not Opus, are too long, or belong to another stream.
  var refused = 0
  /// The interarrival jitter of RFC 3550, in microseconds.
  var jitterUs: Int64 = 0
  /// The length of the sound in the jitter buffer, in microseconds.
  var depthUs: Int64 = 0
  /// The smoothed level in −dBov, from 0 for the loudest to 127 for silence.
  var attenuation: UInt8 = 127
  var volume = VolumeLevel.notSpeaking
  /// Whether the participant's voice is in the mix.
  var isTalking = false
}

extension AudioParticipant {
  /// The statistics of the participant's audio.
  var statistics: AudioStatistics {
    let counters = buffer.counters
    var result = AudioStatistics()
    result.packets = counters.received + refused
    result.lost = counters.lost
    result.concealed = counters.concealed
    result.recovered = counters.recovered
    result.late = counters.late
    result.refused = counters.refused + refused + (voice?.undecodable ?? 0)
    result.jitterUs = buffer.jitterUs
    result.depthUs = buffer.depthUs
    result.attenuation = mayBeHeard ? level.smoothed.attenuation : 127
    result.volume = mayBeHeard ? level.smoothed.volume : .muted
    result.isTalking = isSeated
    return result
  }
}
