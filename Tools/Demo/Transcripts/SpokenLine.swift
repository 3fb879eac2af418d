/// What is said in the demo's transcribed meeting, and who says it.
struct SpokenLine: Sendable {
  /// flite's voice.
  let voice: String
  let text: String

  /// What each of three attendees says, chosen so that the engine alone understands nearly all of
  /// it.
  static let all = [
    SpokenLine(
      voice: "slt",
      text: "The meeting will begin in ten minutes. "
        + "Please send me the report by tomorrow morning."),
    SpokenLine(
      voice: "awb",
      text: "We should talk about the plan for next year. The weather is very nice today."),
    SpokenLine(
      voice: "rms",
      text: "The train to the city leaves in twenty minutes. I would like to see the house again."),
  ]
}
