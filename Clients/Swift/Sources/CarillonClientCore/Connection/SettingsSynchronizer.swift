internal import Wire

/// Says what the application wants of one thing until the gateway has taken it: at once, and with
/// each keep-alive, so that a lost answer does no harm. What the Start of a connection says need
/// not be told on it.
///
/// Lives on the socket thread.
final class SettingsSynchronizer<Setting: Equatable>: SessionComponent {
  private let wanted: () -> Setting
  private let declared: (GatewayLink) -> Setting
  private let say: (GatewayLink, Setting, _ then: @escaping (Setting?) -> Void) -> Void
  private var link: GatewayLink?

  /// What the gateway knows, or is being told; `nil`: it is told in any case.
  private var told: Setting?

  /// - Parameters:
  ///   - wanted: What the application wants now.
  ///   - declared: What the Start of a connection said.
  ///   - say: Says it on a connection, and answers how it is then; `nil` where it is to be said
  ///     again.
  init(
    _ wanted: @escaping () -> Setting, declared: @escaping (GatewayLink) -> Setting,
    _ say: @escaping (GatewayLink, Setting, _ then: @escaping (Setting?) -> Void) -> Void
  ) {
    (self.wanted, self.declared, self.say) = (wanted, declared, say)
  }

  func begin(_ started: V1.SessionStarted, on link: GatewayLink) {
    self.link = link
    told = declared(link)
    tell()
  }

  func keepAliveWasAnswered() { tell() }

  func connectionWasLost() { link = nil }

  /// The application may want something else than before.
  func tell() {
    let wanted = wanted()
    guard let link, wanted != told else { return }
    told = wanted
    say(link, wanted) { [weak self] taken in
      guard let self, self.link === link, told == wanted else { return }
      told = taken
    }
  }
}

extension SettingsSynchronizer<Bool> {
  /// Whether the client is muted.
  convenience init(of mute: MuteGate) {
    self.init({ mute.isMuted }, declared: \.declaredMuted) { link, wanted, then in
      link.setMuted(wanted) { isTaken in then(isTaken ? wanted : nil) }
    }
  }

  /// Whether noise is suppressed, which may turn out otherwise than it was wanted.
  convenience init(of voiceFocus: VoiceFocusSwitch) {
    self.init(
      { voiceFocus.isEnabled }, declared: \.declaredVoiceFocus
    ) { link, wanted, then in
      link.setVoiceFocus(wanted) { isEnabled in
        if let isEnabled { voiceFocus.learn(isEnabled, asked: wanted) }
        then(isEnabled)
      }
    }
  }
}

extension SettingsSynchronizer<TranscriptLanguages.Choice> {
  /// In which languages the attendee reads and speaks.
  convenience init(of languages: TranscriptLanguages) {
    self.init({ languages.choice }, declared: \.declaredLanguages) { link, wanted, then in
      link.setTranscriptLanguages(wanted) { isTaken in then(isTaken ? wanted : nil) }
    }
  }
}
