import Testing

@testable import LocalInstallation

@Suite struct LineSplitterTests {
  @Test func `lines are split correctly wherever the bytes are cut`() {
    var splitter = LineSplitter()
    #expect(splitter.take("on".utf8) == [])
    #expect(splitter.take("e\ntwo\n\nthr".utf8) == ["one", "two", ""])
    #expect(splitter.finish() == "thr")
    #expect(splitter.finish() == nil)
  }

  @Test func `a line without an end is split at the maximum length`() {
    var splitter = LineSplitter()
    let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: LineSplitter.longestLine + 1)
    #expect(splitter.take(bytes).map(\.utf8.count) == [LineSplitter.longestLine])
    #expect(splitter.finish() == "x")
  }
}
