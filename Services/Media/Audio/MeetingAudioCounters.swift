/// What a meeting's audio costs, since it began.
struct MeetingAudioCounters: Hashable, Sendable {
  var ticks = 0
  /// Participants whose sound was decoded, by ticks.
  var decodes = 0
  /// Participants whose packets were played out unheard, by ticks, as they were not loud enough.
  var skips = 0
  /// Packets of those in the mix that were concealed.
  var concealed = 0
  /// Packets made.
  var encodes = 0
  /// Encoders or decoders that could not be made: there was no memory.
  var failures = 0
}
