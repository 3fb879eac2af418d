/// A sentence of the demo's transcribed meeting, and the voice that speaks it.
struct DemoSentence: Sendable {
  /// The name of a flite voice.
  let voice: String
  let text: String

  /// The sentences of three attendees. The engine recognizes nearly all words of these sentences
  /// when the engine reads the recordings directly.
  static let all = [
    DemoSentence(
      voice: "slt",
      text: "The meeting will begin in ten minutes. "
        + "Please send me the report by tomorrow morning."),
    DemoSentence(
      voice: "awb",
      text: "We should talk about the plan for next year. The weather is very nice today."),
    DemoSentence(
      voice: "rms",
      text: "The train to the city leaves in twenty minutes. I would like to see the house again."),
  ]
}
