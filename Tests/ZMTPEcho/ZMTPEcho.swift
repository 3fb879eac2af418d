import Glibc
import TestSupport
import Trials
import ZMTP

/// Echoes messages with `ZMTPConnection`, for tests written in other languages.
///
///     zmtp-echo (PATH | tcp) FRAME_BYTES [SERVER_SECRET_KEY [CLIENT_PUBLIC_KEY]]
///
/// Listens at a Unix socket or at a port of 127.0.0.1. With a server key (32/Z85), the program uses
/// CURVE. With a client key, the program accepts only the client that has this key. The program
/// prints its endpoint, and then a line for each connection that ended. The line contains the
/// reason if this program ended the connection. The program ends when its input ends.
@main
struct ZMTPEcho {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let place = arguments.first,
      let frameBytes = arguments.dropFirst().first.flatMap({ Int($0) })
    else { exit(2) }
    let listener =
      place == "tcp"
      ? try LocalSocket(listeningAtPort: 0) : try LocalSocket(listeningAt: place)
    say(place == "tcp" ? "tcp://127.0.0.1:\(try listener.port())" : "ipc://\(place)")
    let limits = ZMTPLimits(frameBytes: frameBytes, messageBytes: 4 * frameBytes)
    let echo = EchoEnd(
      at: listener, security: security(Array(arguments.dropFirst(2))), limits: limits
    ) { say($0.map { "\($0)" } ?? "") }
    while readLine() != nil {}
    echo.stop()
  }

  private static func security(_ keys: [String]) -> ZMTPSecurity {
    guard let text = keys.first else { return .null }
    guard let secretKey = CurveSecretKey(z85: text) else { exit(2) }
    let client = keys.dropFirst().first
    return .curveServer(secretKey: secretKey) { client == nil || $0.z85 == client }
  }

  /// Prints a line immediately, even if the output is not a terminal.
  private static func say(_ line: String) {
    print(line)
    fflush(nil)
  }
}
