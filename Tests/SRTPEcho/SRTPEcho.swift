import Glibc
import SRTP

/// A program that protects and opens packets with `SRTPSender` and `SRTPReceiver`, for tests
/// written in other languages.
///
///     srtp-echo PROFILE KEY
///
/// PROFILE is the number of the protection profile in DTLS-SRTP. KEY is the master key and the
/// master salt in hexadecimal. Each line of standard input is a command. The program answers each
/// command with one line:
///
///     protect-rtp HEX, protect-rtcp HEX, open-rtp HEX, open-rtcp HEX
///                           The packet in hexadecimal, or the reason for the refusal.
///     repeat COUNT BYTES    The mean processor times to protect and to open a packet, in µs, over
///                           COUNT packets with BYTES of payload.
///
/// The program ends when standard input ends.
@main
struct SRTPEcho {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let number = UInt16(arguments[1]),
      let profile = ProtectionProfile(rawValue: number),
      let key = MasterKey(profile, hexadecimal: arguments[2])
    else { fatalError("usage: srtp-echo PROFILE KEY") }
    var echo = PacketEcho(key)
    var loop = PacketLoop(key)
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      if words[0] == "repeat", let count = Int(words[1]), let bytes = Int(words[2]) {
        print(loop.run(count, payload: bytes))
      } else {
        print(echo.answer(words[0], [UInt8](hexadecimal: words.count > 1 ? words[1] : "")))
      }
      fflush(nil)
    }
  }
}
