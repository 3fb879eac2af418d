import Foundation

/// Prints a line without buffering, also into a pipe, because a run takes minutes.
func say(_ line: String = "") {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
