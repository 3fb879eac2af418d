import MeetingViews
import Testing

@testable import Bot

struct BotScriptTests {
  private let start = ContinuousClock.now
  private let bot = AttendeeName(attendeeID: "b", externalUserID: "bot")
  private let ada = AttendeeName(attendeeID: "a", externalUserID: "Ada")
  private let ben = AttendeeName(attendeeID: "c", externalUserID: "Ben")

  private func makeScript() -> BotScript { BotScript(ownID: "b", at: start) }

  @Test func `the bot greets each attendee once by name and does not greet itself`() {
    var script = makeScript()
    #expect(script.comes(bot, at: start).isEmpty)
    guard case .write(let line)? = script.comes(ada, at: start).first else {
      Issue.record("Nobody was greeted.")
      return
    }
    #expect(line.hasPrefix("Hello Ada!"))
    #expect(script.comes(ada, at: start).isEmpty)
  }

  @Test func `the bot speaks and writes only while an attendee is present`() {
    var script = makeScript()
    let late = start + .seconds(1_000)
    #expect(script.waits(until: late).isEmpty)
    _ = script.comes(ada, at: start)
    #expect(script.waits(until: start + .seconds(1)).isEmpty)
    #expect(script.waits(until: start + .seconds(2)) == [.say(BotScript.sentences[0])])
    #expect(script.waits(until: start + .seconds(3)).isEmpty)
    #expect(
      script.waits(until: start + BotScript.lineInterval)
        == [.say(BotScript.sentences[1]), .write(BotScript.lines[0])])
    script.goes(ada)
    #expect(script.waits(until: late).isEmpty)
  }

  @Test func `the bot answers the commands that messages contain`() {
    var script = makeScript()
    _ = script.comes(ada, at: start)
    _ = script.comes(ben, at: start)
    let now = start + .seconds(30)
    #expect(
      script.reads(" who ", by: ada, at: now) == [.write("Beside me there are 2: Ada, Ben.")])
    #expect(script.reads("since", by: ada, at: now) == [.write("I have been here for 30 seconds.")])
    #expect(
      script.reads("SAY hello  there", by: ben, at: now)
        == [.write("I say: hello there"), .say("hello there")])
    #expect(script.reads("tea", by: ben, at: now) == [.write("Ben wrote 3 characters: tea")])
    #expect(script.reads("say", by: ben, at: now) == [.write("Ben wrote 3 characters: say")])
    #expect(script.reads("tea", by: bot, at: now).isEmpty)
    #expect(script.reads("  \n", by: ada, at: now).isEmpty)
  }

  @Test func `in a flood of messages, the bot limits the number and the length of its answers`() {
    var script = makeScript()
    let long = String(repeating: "x", count: 2_000)
    let answers = (0..<100).flatMap { _ in script.reads("say \(long)", by: ada, at: start) }
    #expect(answers.count == 2 * BotScript.mostAnswers)
    for case .say(let text) in answers { #expect(text.count == BotScript.longestText) }
    let later = start + BotScript.answerWindow
    #expect(script.reads("tea", by: ada, at: later).count == 1)
  }
}
