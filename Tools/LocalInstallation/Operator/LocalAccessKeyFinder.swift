internal import Foundation
package import Signing

/// Finds the access key with which this machine's tools sign requests.
package enum LocalAccessKeyFinder {
  /// Returns a signer for an endpoint of the control API.
  ///
  /// A gateway in one of the runtime directories may publish a key for this endpoint. Otherwise the
  /// key is in `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`.
  ///
  /// - Returns: `nil` if there is no key. The tools then send unsigned requests.
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
  /// Returns whether both addresses name the same port of the same host; `localhost` equals
  /// 127.0.0.1.
  fileprivate func isSamePlace(as other: HTTPAddress) -> Bool {
    guard case .tcp(let host, let port) = self, case .tcp(let otherHost, let otherPort) = other
    else { return false }
    func name(_ host: String) -> String { host == "localhost" ? "127.0.0.1" : host }
    return port == otherPort && name(host) == name(otherHost)
  }
}
