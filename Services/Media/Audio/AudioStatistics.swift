import MeetingModel
import RTP

/// How one participant's audio goes. Counts are since it was added.
struct AudioStatistics: Hashable, Sendable {
  /// That came, whatever became of them.
  var packets = 0
  /// Missing when their time had come.
  var lost = 0
  /// Made up for, copies aside.
  var concealed = 0
  /// Packets of others that were made up for in what it heard.
  var heardConcealed = 0
  /// Rebuilt from the copy in the packet after them.
  var recovered = 0
  /// Came when their time had passed.
  var late = 0
  /// No Opus, too long, or of another stream.
  var refused = 0
  /// The interarrival jitter of RFC 3550, in microseconds.
  var jitterUs: Int64 = 0
  /// What waits to be played, in microseconds.
  var depthUs: Int64 = 0
  /// The smoothed level in −dBov: 0 is the loudest, 127 silence.
  var attenuation: UInt8 = 127
  var volume = VolumeLevel.notSpeaking
  /// Whether it is in the mix.
  var isTalking = false
}

extension AudioParticipant {
  /// How its audio goes.
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
