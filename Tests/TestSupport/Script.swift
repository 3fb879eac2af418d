import Glibc

/// Shell scripts that stand for programs.
public enum Script {
  /// The script could not be written; the exit status of the shell that tried.
  public struct Failure: Error {
    public let status: Int32
  }

  /// Writes an executable script.
  ///
  /// Another process writes it. A file that is open for writing cannot be executed, and whatever
  /// this process has open any child has too, from its start to its exec. It is not Foundation's
  /// `Process` either: that hears of the end by a socket which children started at the same time
  /// inherit, and waits for their end, too.
  public static func write(_ body: String, to path: String) throws {
    let arguments = [
      "sh", "-c", #"printf '%s\n' '#!/bin/sh' "$1" > "$2" && chmod 700 "$2""#, "sh", body, path,
    ]
    var strings = unsafe arguments.map { unsafe strdup($0) } + [nil]
    var environment: [UnsafeMutablePointer<CChar>?] = unsafe [strdup("PATH=/usr/bin:/bin"), nil]
    defer { unsafe (strings + environment).forEach { unsafe free($0) } }
    var writer: pid_t = 0
    let code = unsafe posix_spawn(&writer, "/bin/sh", nil, nil, &strings, &environment)
    guard code == 0 else { throw Failure(status: code) }
    var status: Int32 = 0
    while unsafe waitpid(writer, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else { throw Failure(status: status) }
  }
}
