import Testing

@testable import Output

@Suite struct TerminalColorsTests {
  @Test(arguments: [
    (["TERM": "xterm"], true), (["TERM": "xterm", "NO_COLOR": ""], true),
    (["TERM": "xterm", "NO_COLOR": "1"], false), (["TERM": "dumb"], false), (["TERM": ""], false),
    ([:], false),
  ])
  func `output is coloured on a terminal of a known type unless colour is disabled`(
    environment: [String: String], isColoured: Bool
  ) {
    #expect((TerminalColors(isTerminal: true, environment) == .coloured) == isColoured)
    #expect(TerminalColors(isTerminal: false, environment) == .plain)
  }

  @Test(arguments: [
    (["TERM": "screen-256color"], TerminalType.capable), (["TERM": "dumb"], .dumb),
    (["TERM": ""], .dumb), ([:], .dumb),
  ])
  func `a terminal without a type is a dumb terminal`(
    environment: [String: String], type: TerminalType
  ) {
    #expect(TerminalType(in: environment) == type)
  }
}
