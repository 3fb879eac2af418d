import Glibc
import SRTP

/// Protects and opens packets by `SRTPSender` and `SRTPReceiver`, for tests written in other
/// languages.
///
///     srtp-echo PROFILE KEY
///
/// PROFILE is the number of DTLS-SRTP, KEY the master key and the master salt in hexadecimal. Each
/// line of its input is a command, and each is answered by a line:
///
///     protect-rtp HEX, protect-rtcp HEX, open-rtp HEX, open-rtcp HEX    the packet, or the refusal
///     repeat COUNT BYTES    processor time for protecting and for opening a packet in µs, of COUNT
///                           with BYTES of payload
///
/// It ends with its input.
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
