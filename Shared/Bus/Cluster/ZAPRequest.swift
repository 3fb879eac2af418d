internal import ZeroMQ

/// An authentication request of libzmq about a peer (27/ZAP).
struct ZAPRequest: Hashable, Sendable {
  /// The fault of invalid frames.
  enum Fault: Error, Hashable {
    /// The frames have no request id to answer.
    case noRequest
    /// The request is invalid, and the answer is an error.
    case unreadable(id: [UInt8])
  }

  /// The id of the request; at most 255 bytes.
  let id: [UInt8]

  /// The domain of the socket to which the peer wants to connect.
  let domain: String

  /// The peer's address; empty if unknown.
  let address: String

  /// The key whose ownership the peer has proved; `nil` for any mechanism other than CURVE.
  let key: CurveKey?

  static let version = Array("1.0".utf8)
  private static let longestField = 255

  /// - Parameter frames: The version, request id, domain, address, identity, mechanism and
  ///   credentials.
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
    guard frames.count == 7, let key = CurveKey(frames[6]) else { throw fault }
    self.key = key
  }

  /// Returns the answer to the frames of a request.
  ///
  /// - Parameter judge: Returns the decision about the owner of a key.
  /// - Returns: The answer, or `nil` if there is no request id.
  static func answer(
    to frames: [[UInt8]], _ judge: (CurveKey, PeerKeyRole) -> AllowList.Verdict
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
    _ judge: (CurveKey, PeerKeyRole) -> AllowList.Verdict
  ) -> AllowList.Verdict {
    guard let key else { return .refused(.noKey) }
    guard let role = PeerKeyRole(rawValue: domain) else { return .refused(.otherRole) }
    return judge(key, role)
  }
}
