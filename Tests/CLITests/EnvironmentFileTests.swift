import Foundation
import TestSupport
import Testing

@testable import CLI
@testable import Output

@Suite struct EnvironmentFileTests {
  @Test(arguments: [
    ("A=", ""), ("A=b", "b"), ("A= b", " b"), ("A=b=c", "b=c"), ("A=\"b c\"", "b c"),
    ("A='b c'", "b c"), ("A=\"b'", "\"b'"), ("A=\"", "\""), ("A=\"\"", ""), ("A='\"'", "\""),
    ("  A=b  ", "b"), ("A=$HOME", "$HOME"), ("A=b # no comment", "b # no comment"),
    ("A=\\n", "\\n"), ("A=naïve", "naïve"),
  ])
  func `a value is read literally, except that one pair of quotes is removed`(
    line: String, value: String
  ) throws {
    #expect(try EnvironmentFile.parse(line, from: "f") == ["A": value])
  }

  @Test(arguments: ["", "\n", "# A=b", "  # A=b", "\t", "\r\n\r\n"])
  func `empty lines and comments set no variable`(text: String) throws {
    #expect(try EnvironmentFile.parse(text, from: "f").isEmpty)
  }

  @Test(arguments: ["\n", "\r\n"])
  func `LF and CRLF line ends are accepted, and the last value of a name takes effect`(end: String)
    throws
  {
    let text = ["A=1", "_B2=2", "A=3"].joined(separator: end)
    #expect(try EnvironmentFile.parse(text, from: "f") == ["A": "3", "_B2": "2"])
  }

  @Test(arguments: [
    ("=b", 1), ("A=1\n\n#\nB", 4), ("é=1", 1), ("A-B=1", 1), ("A=1\n9=1", 2), ("A B", 1),
  ])
  func `the first wrong line is reported`(text: String, number: Int) {
    let failure = #expect(throws: CommandFailure.self) {
      try EnvironmentFile.parse(text, from: "f")
    }
    #expect(failure?.code == "FAILED_PRECONDITION")
    #expect(
      failure?.message == "f, line \(number): it must be NAME=VALUE, a comment or empty.")
  }

  @Test func `the error for a file that is not text names the flag of the file`() async throws {
    try await withTemporaryDirectory { directory in
      let binary = "\(directory)/binary"
      try Data([0x41, 0x3D, 0xFF, 0xFE]).write(to: URL(filePath: binary))
      for path in [directory, "\(directory)/none", binary] {
        let failure = #expect(throws: CommandFailure.self) { try EnvironmentFile.read(path) }
        #expect(failure?.message == "\(path) cannot be read; name a text file with --env-file.")
      }
    }
  }
}
