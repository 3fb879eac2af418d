import MeetingModel
import RTP

/// The statistics of one participant's audio.
///
/// Counts start when it is added.
struct AudioStatistics: Hashable, Sendable {
  /// Packets that arrived, including refused ones.
  var packets = 0
  /// Packets that were missing when they were due.
  var lost = 0
  /// Packets that were concealed, except those recovered from copies.
  var concealed = 0
  /// Concealed packets of others in the mixes that it heard.
  var heardConcealed = 0
  /// Packets that were rebuilt from the copy in the packet after them.
  var recovered = 0
  /// Packets that arrived after they were due.
  var late = 0
  /// Packets that were not Opus, were too long, or belonged to another stream.
  var refused = 0
  /// The interarrival jitter of RFC 3550, in microseconds.
  var jitterUs: Int64 = 0
  /// The length of the sound that waits to be played, in microseconds.
  var depthUs: Int64 = 0
  /// The smoothed level in −dBov: 0 is the loudest, 127 silence.
  var attenuation: UInt8 = 127
  var volume = VolumeLevel.notSpeaking
  /// Whether it is in the mix.
  var isTalking = false
}

extension AudioParticipant {
  /// The statistics of its audio.
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
