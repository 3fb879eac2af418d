import WebRTC

/// Fuzzes datagrams of strangers, and connectivity checks of a browser that knows the password.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe FuzzInput.bytes(data, count)
  guard let message = STUNMessage(bytes.span) else { return 0 }
  FuzzInput.require(STUNMessage.isLikely(bytes.span), "what is read looks like it")
  FuzzInput.require(DatagramKind(bytes.span) == .stun, "what is read is told by its first byte")
  requireSame(message)
  requireNothing(of: message)
  requireAnswer(to: message)
  return 0
}

/// Checks that writing a message and reading it again does not change the message.
private func requireSame(_ message: STUNMessage) {
  let code = [UInt8](repeating: 7, count: 20)
  let written = message.datagram { covered in
    FuzzInput.require(covered.count % 4 == 0, "what is signed is whole words")
    return code
  }
  guard let again = STUNMessage(written.span) else {
    fatalError("Broken: a message that was written can be read")
  }
  FuzzInput.require(again == message && again.hasFingerprint, "a message says the same again")
  FuzzInput.require(again.integrity?.code == code, "and is signed")
}

private let local = ICECredentials(fragment: "here", password: "a password of 22 bytes")
private let address = PeerAddress.udp(UDPAddress(host: [192, 0, 2, 1], port: 9))

/// Checks that a stranger, who does not know the password, changes no state.
private func requireNothing(of message: STUNMessage) {
  var agent = ICEAgent(local: local, remoteFragment: "there")
  let answer = agent.answer(message, from: address, at: .now)
  FuzzInput.require(agent == ICEAgent(local: local, remoteFragment: "there"), "a stranger is none")
  FuzzInput.require(answer == nil || message.kind == .request, "only requests are answered")
  guard let answer else { return }
  FuzzInput.require(STUNMessage(answer.span)?.kind == .error, "a stranger is refused")
}

/// Requires that the agent answers a browser's connectivity check, whatever attributes the
/// connectivity check has. The connectivity check must prove the browser's address if, and only if,
/// the answer reports success.
private func requireAnswer(to message: STUNMessage) {
  var agent = ICEAgent(local: local, remoteFragment: "there")
  let name = STUNMessage.Value(
    type: STUNMessage.Attribute.username, bytes: Array("here:there".utf8))
  let datagram = STUNMessage(
    .request, transaction: message.transaction, attributes: [name] + message.attributes
  ).datagram(with: Array(local.password.utf8))
  guard let check = STUNMessage(datagram.span),
    let answer = agent.answer(check, from: address, at: .now), let read = STUNMessage(answer.span)
  else { return FuzzInput.require(datagram.count > 0xFFFF, "a check is answered") }
  FuzzInput.require(read.transaction == message.transaction, "an answer names its check")
  FuzzInput.require(
    (read.kind == .success) == agent.hasProven(address), "a check proves an address")
}
