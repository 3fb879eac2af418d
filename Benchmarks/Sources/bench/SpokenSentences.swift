/// The sentences that one flite voice speaks for the recognition of speech. The sentences are
/// ordinary English, with words of PocketSphinx's English model.
struct SpokenSentences: Sendable {
  let voice: String

  /// The first sentence, for a decoder that has not adapted to the voice.
  let first: String

  /// The sentences after the first sentence.
  let later: [String]

  static let all = [
    SpokenSentences(
      voice: "slt", first: "the meeting will begin in ten minutes",
      later: [
        "please send me the report by tomorrow morning",
        "we should talk about the plan for next year",
        "the weather is very nice today",
        "she has worked in this office for many years",
        "the children are playing in the garden",
        "can you tell me what time it is",
        "we will have dinner at seven tonight",
        "he read a long book about the history of the war",
        "the president will speak to the country this evening",
        "my brother lives in a small town near the river",
        "there is a lot of work to do before the end of the month",
      ]),
    SpokenSentences(
      voice: "awb", first: "the train to the city leaves in twenty minutes",
      later: [
        "i would like to see the house again",
        "most people drink coffee in the morning",
        "the company will open a new store in the summer",
        "we need more time to finish the project",
        "the doctor said that he must rest for a week",
        "the door was open and the lights were on",
        "she wants to study music at the university",
        "i think that this is the right answer",
        "the market was closed on sunday",
        "the government has promised to help the farmers",
        "our next meeting is on monday afternoon",
      ]),
    SpokenSentences(
      voice: "rms", first: "thank you very much for your help",
      later: [
        "the water in the lake is cold and clear",
        "we are looking for a place to stay tonight",
        "the students asked many good questions",
        "you can find the answer on the first page",
        "the price of oil has gone up again this year",
        "the police are looking for the driver of the car",
        "it was raining when we left the house",
        "the old man walked slowly down the street",
        "nobody knows what will happen next",
        "the first half of the game was very good",
        "i have been waiting for you since this morning",
      ]),
  ]

  /// All sentences, in spoken order.
  var sentences: [String] { [first] + later }
}
