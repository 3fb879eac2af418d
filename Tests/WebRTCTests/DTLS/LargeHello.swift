import COpenSSL
import Testing

@testable import WebRTC

/// Makes a client's hello as long as a hello with post-quantum key shares: about 3,000 bytes in
/// three datagrams. The function adds names of protocols that the server does not know.
func enlargeHello(of client: DTLSHandshake) {
  let name = [250] + [UInt8](repeating: UInt8(ascii: "p"), count: 250)
  let list = [[UInt8]](repeating: name, count: 11).flatMap(\.self)
  let result = client.session.map {
    SSL_set_alpn_protos($0.handle, list, CUnsignedInt(list.count))
  }
  #expect(result == 0)
}
