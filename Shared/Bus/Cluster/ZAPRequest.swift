internal import ZeroMQ

/// What libzmq asks before it lets a peer in, and what it is answered: frames in, frames out
/// (27/ZAP).
struct ZAPRequest: Hashable, Sendable {
  /// What is wrong with frames that should be a request.
  enum Fault: Error, Hashable {
    /// Nobody can be answered.
    case noRequest
    /// Whoever asked this is told that it cannot be answered.
    case unreadable(id: [UInt8])
  }

  /// Names the request; at most 255 bytes.
  let id: [UInt8]

  /// What the peer wants to connect to.
  let domain: String

  /// Where it comes from; empty where that is not known.
  let address: String

  /// The key that it has proved to own; `nil`: it came by another mechanism than CURVE.
  let key: SocketKey?

  static let version = Array("1.0".utf8)
  private static let longestField = 255

  /// - Parameter frames: Version, request id, domain, address, identity, mechanism, credentials.
  init(frames: [[UInt8]]) throws(Fault) {
    guard frames.count >= 2, frames[1].count <= Self.longestField else { throw .noRequest }
    id = frames[1]
    let fault = Fault.unreadable(id: frames[1])
    guard frames[0] == Self.version, (6...16).contains(frames.count),
      frames[2...5].allSatisfy({ $0.count <= Self.longestField }),
      let domain = String(validating: frames[2], as: UTF8.self),
      let address = String(validating: frames[3], as: UTF8.self)
    else { throw fault }
    (self.domain, self.address) = (domain, address)
    guard frames[5] == Array("CURVE".utf8) else {
      key = nil
      return
    }
    guard frames.count == 7, let key = SocketKey(frames[6]) else { throw fault }
    self.key = key
  }

  /// The answer to frames that should be a request.
  ///
  /// - Parameter judge: Says what is to become of the owner of a key.
  /// - Returns: `nil` where nobody can be answered.
  static func answer(
    to frames: [[UInt8]], _ judge: (SocketKey, KeyRole) -> AllowList.Verdict
  ) -> ZAPReply? {
    do throws(Fault) {
      let request = try ZAPRequest(frames: frames)
      return ZAPReply(id: request.id, request.verdict(judge))
    } catch .unreadable(let id) {
      return ZAPReply(id: id, status: .internalError, userID: "")
    } catch {
      return nil
    }
  }

  private func verdict(
    _ judge: (SocketKey, KeyRole) -> AllowList.Verdict
  ) -> AllowList.Verdict {
    guard let key else { return .refused(.noKey) }
    guard let role = KeyRole(rawValue: domain) else { return .refused(.otherRole) }
    return judge(key, role)
  }
}
