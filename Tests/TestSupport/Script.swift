/// Shell scripts that replace programs in tests.
public enum Script {
  /// Writes an executable script.
  ///
  /// Another process writes the script. If this process wrote the script, a child that starts at
  /// the same time would inherit the open file until the child's exec. The kernel executes no file
  /// that is open for writing.
  ///
  /// - Throws: ``Command/Failure``.
  public static func write(_ body: String, to path: String) throws {
    try Command.run([
      "sh", "-c", #"printf '%s\n' '#!/bin/sh' "$1" > "$2" && chmod 700 "$2""#, "sh", body, path,
    ])
  }
}
