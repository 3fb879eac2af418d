/// Counts of the work for a meeting's audio since the meeting began.
struct MeetingAudioCounters: Hashable, Sendable {
  var ticks = 0
  /// Participants whose sound the meeting decoded, summed over ticks.
  var decodes = 0
  /// Participants whose sound the meeting skipped because they were too quiet, summed over ticks.
  var skips = 0
  /// Concealed packets in the mix.
  var concealed = 0
  /// Encoded packets.
  var encodes = 0
  /// Failures to create an encoder or decoder, because of too little memory.
  var failures = 0
}
