import Foundation

/// Prints a line at once, also into a pipe: a run takes minutes, and its reader wants to see it go.
func say(_ line: String = "") {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
