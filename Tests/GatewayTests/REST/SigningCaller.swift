import Foundation
import Logging
import MeetingModel
import Signing
import Storage

@testable import Gateway

/// A caller with an access key.
struct SigningCaller {
  let face: RESTHandler
  let keyID: String
  let secret: SigningSecret
  let time: ManualTime

  func send(_ method: String, _ target: String, _ body: String? = nil) async -> Answer {
    Answer(await face.respond(to: signed(method, target, body)))
  }

  func signed(_ method: String, _ target: String, _ body: String? = nil) -> RESTRequest {
    var request = RESTRequest(
      method: method, target: target, headers: [.init(name: "Host", value: "gateway.test:8080")],
      body: Array((body ?? "").utf8))
    if body != nil {
      request.headers.append(.init(name: "Content-Type", value: "application/json"))
    }
    let signable = SignableRequest(
      method: method, path: request.path, query: request.query,
      headers: request.headers.map { .init($0.name, $0.value) }, body: request.body)
    let headers = RequestSigner(keyID: keyID, secret: secret)
      .headers(for: signable, at: time.now / 1_000)
    request.headers += headers.map { .init(name: $0.name, value: $0.value) }
    return request
  }

  func makeMeeting(_ token: String = "token-1") async throws -> String {
    await send("POST", "/meetings", Bodies.meeting(token)).body["Meeting", "MeetingId"].string
  }
}

extension ControlFixture {
  /// A REST handler that accepts requests signed with one of the fixture's keys.
  var signedHandler: RESTHandler {
    let time = time
    return face(
      SignatureAuthenticator(
        keys: AccessKeyRing(keys), verifier: SignatureVerifier(), now: { time.now },
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
  }

  func makeKey(_ role: AccessRole = .all, tenant: String? = nil) throws -> SigningCaller {
    let key = try keys.create(
      "test", role: role, tenant: tenant.map { try TenantID($0) }, at: time.now)
    return signer(key.id, keys.secret(of: key.id))
  }

  func signer(_ keyID: String, _ secret: SigningSecret) -> SigningCaller {
    SigningCaller(face: signedHandler, keyID: keyID, secret: secret, time: time)
  }

  /// Writes invalid content into the file of keys.
  func spoilKeys() throws {
    try Data("{".utf8).write(to: URL(filePath: keys.path))
  }
}
