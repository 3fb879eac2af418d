/// Shell scripts that stand for programs.
public enum Script {
  /// Writes an executable script.
  ///
  /// Another process writes it. A file that is open for writing cannot be executed, and whatever
  /// this process has open any child has too, from its start to its exec.
  ///
  /// - Throws: ``Command/Failure``.
  public static func write(_ body: String, to path: String) throws {
    try Command.run([
      "sh", "-c", #"printf '%s\n' '#!/bin/sh' "$1" > "$2" && chmod 700 "$2""#, "sh", body, path,
    ])
  }
}
