/// Counts of the work for a meeting's audio since it began.
struct MeetingAudioCounters: Hashable, Sendable {
  var ticks = 0
  /// Participants that were decoded, summed over ticks.
  var decodes = 0
  /// Participants that were played out undecoded because they were too quiet, summed over ticks.
  var skips = 0
  /// Concealed packets of the participants in the mix.
  var concealed = 0
  /// Packets that were encoded.
  var encodes = 0
  /// Encoders or decoders that could not be created, for lack of memory.
  var failures = 0
}
