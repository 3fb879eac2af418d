internal import Foundation
package import Signing

/// The access key that requests of this machine's tools are signed with.
package enum AccessKeyFinder {
  /// A signer for an endpoint of the control API.
  ///
  /// It signs with the key that a gateway of one of these runtime directories hands out for this
  /// endpoint, else with that of `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`.
  ///
  /// - Returns: `nil` if there is neither: requests go unsigned.
  package static func signer(
    for endpoint: HTTPAddress, in places: [String], environment: [String: String]
  ) -> RequestSigner? {
    for place in places {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
      for name in names.sorted() where name.hasSuffix(LocalAccessKey.fileSuffix) {
        guard let data = FileManager.default.contents(atPath: "\(place)/\(name)"),
          let key = try? JSONDecoder().decode(LocalAccessKey.self, from: data),
          HTTPAddress(url: key.endpoint)?.isSamePlace(as: endpoint) == true
        else { continue }
        return RequestSigner(keyID: key.keyID, secret: key.secret)
      }
    }
    guard let id = environment["AWS_ACCESS_KEY_ID"], !id.isEmpty,
      let secret = environment["AWS_SECRET_ACCESS_KEY"], !secret.isEmpty
    else { return nil }
    return RequestSigner(keyID: id, secret: SigningSecret(secret))
  }
}

extension HTTPAddress {
  /// Whether both are one port of one host; `localhost` and 127.0.0.1 are one.
  fileprivate func isSamePlace(as other: HTTPAddress) -> Bool {
    guard case .tcp(let host, let port) = self, case .tcp(let otherHost, let otherPort) = other
    else { return false }
    func name(_ host: String) -> String { host == "localhost" ? "127.0.0.1" : host }
    return port == otherPort && name(host) == name(otherHost)
  }
}
