import Testing
import Trials

@Suite(.timeLimit(.minutes(5))) struct AwaitableEntryListTests {
  private let journal = AwaitableEntryList<Int>()
  private let deadline = ContinuousClock.now + .seconds(3600)

  @Test func `a wait finds entries from before the wait and during the wait`() async throws {
    journal.append(1)
    #expect(try await journal.wait(for: "one") { $0 == [1] } == [1])
    async let both = journal.wait(for: "two") { $0.count == 2 }
    journal.append(2)
    #expect(try await both == [1, 2])
  }

  @Test func `the error of a wait that times out contains the recorded entries`() async {
    journal.append(7)
    let overdue = await #expect(throws: TimeoutError.self) {
      try await journal.wait(for: "an eight", within: .zero) { $0.contains(8) }
    }
    #expect(overdue?.description == "Waited 0.0 seconds for an eight. [7]")
  }

  @Test func `the error of a wait contains only the first and last of many entries`() {
    let heard = "[" + String(repeating: "7, ", count: 9_999) + "8]"
    let overdue = TimeoutError("it", after: .zero, heard: heard)
    #expect(overdue.description.count < 2_000)
    #expect(overdue.description.hasPrefix("Waited 0.0 seconds for it. [7, 7"))
    #expect(overdue.description.hasSuffix("7, 8]"))
  }

  @Test func `the search for a match starts at the given position`() async {
    for number in [3, 4, 5] { journal.append(number) }
    #expect(await journal.first(from: 0, until: deadline) { $0 > 3 } == 4)
    #expect(await journal.first(from: 2, until: deadline) { $0 > 3 } == 5)
    #expect(await journal.first(from: journal.count, until: .now) { $0 > 3 } == nil)
  }

  @Test func `only a matching later entry ends the wait`() async {
    journal.append(4)
    async let later = journal.first(from: 1, until: deadline) { $0 == 4 }
    for number in [5, 6, 4, 4] { journal.append(number) }
    #expect(await later == 4)
  }

  @Test func `the condition of a wait may inspect all entries`() async {
    journal.append(1)
    async let second = journal.first(from: 0, until: deadline) { [journal] _ in
      journal.count == 2
    }
    journal.append(2)
    #expect([1, 2].contains(await second))
  }

  @Test func `a wait on a closed list ends immediately`() async {
    async let none = journal.first(from: 0, until: deadline) { _ in true }
    journal.close()
    #expect(await none == nil)
    #expect(await journal.first(from: 0, until: deadline) { _ in true } == nil)
    await #expect(throws: TimeoutError.self) { try await journal.wait(for: "more") { !$0.isEmpty } }
  }

  @Test func `entries of a closed list are still found`() async {
    journal.append(1)
    journal.close()
    #expect(await journal.first(from: 0, until: deadline) { $0 == 1 } == 1)
    #expect(journal.entries == [1])
  }

  @Test func `a wait ends when its task is cancelled`() async {
    let waiting = Task { [journal, deadline] in
      await journal.first(from: 0, until: deadline) { _ in true }
    }
    waiting.cancel()
    #expect(await waiting.value == nil)
  }
}
