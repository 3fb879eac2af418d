/// Says whether noise suppression is wanted until media has taken it: at once, when media lets the
/// client in, and with each keep-alive. What the Start of a connection says need not be told on it.
///
/// Lives on the socket thread.
final class VoiceFocusSynchronizer {
  private let wish: VoiceFocusSwitch
  private var link: GatewayLink?
  private var told: Bool?

  init(of wish: VoiceFocusSwitch) { self.wish = wish }

  /// The session is open on this connection.
  func begin(on link: GatewayLink) {
    self.link = link
    told = link.declaredVoiceFocus
    tell()
  }

  func connectionWasLost() { link = nil }

  func tell() {
    guard let link, wish.isEnabled != told else { return }
    let wanted = wish.isEnabled
    told = wanted
    link.setVoiceFocus(wanted) { [weak self] isEnabled in
      guard let self, self.link === link else { return }
      guard let isEnabled else {
        // A lost answer does no harm: it is asked for again.
        if told == wanted { told = nil }
        return
      }
      wish.learn(isEnabled, asked: wanted)
      if told == wanted { told = isEnabled }
    }
  }
}
