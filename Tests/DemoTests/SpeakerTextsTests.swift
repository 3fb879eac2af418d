import Testing

@testable import Demo

struct SpeakerTextsTests {
  private let said = DemoSentence.all.map(\.text)

  private func fault(_ heard: [String]) -> String? {
    SpeakerTexts(lines: DemoSentence.all, heard: heard).fault
  }

  @Test func `a transcript that equals the spoken text has no fault`() {
    let text = SpeakerTexts(lines: DemoSentence.all, heard: said)
    #expect(text.fault == nil)
    #expect(text.isMostlyUnderstood)
    #expect(text.rate.errors == 0)
    #expect(text.rate.words == 47)
  }

  @Test func `wrong or missing words are not reported as a fault`() {
    #expect(fault(["meeting in hand min", said[1], "the train"]) == nil)
    #expect(fault(["the", "is", "to"]) == nil)
    let little = SpeakerTexts(lines: DemoSentence.all, heard: [said[0], said[1], "the train"])
    #expect(!little.isMostlyUnderstood)
  }

  @Test func `a speaker without any understood word is reported as a fault`() throws {
    #expect(try #require(fault([said[0], "", said[2]])).contains(said[1]))
    #expect(fault([said[0], "hum", said[2]]) != nil)
  }

  @Test func `words under another speaker's name are reported as a fault`() {
    #expect(fault([said[1], said[0], said[2]]) != nil)
    #expect(fault([said[0], said[1], said[2] + " " + said[0] + " " + said[1]]) == nil)
    #expect(fault([said[0], said[2], said[2]]) != nil)
  }
}
