internal import Wire

/// Reports one setting of the application to the gateway, until the gateway accepts the setting.
///
/// The reporter reports a change immediately. After each keep-alive, the reporter repeats the
/// report until the gateway accepts the change. So a lost answer does no harm. If the `Start`
/// request of the connection already contained the value, the reporter does not report the value.
/// The reporter runs on the socket thread.
final class SettingReporter<Setting: Equatable>: SessionComponent {
  private let wanted: () -> Setting
  private let declared: (GatewayConnection) -> Setting
  private let say: (GatewayConnection, Setting, _ then: @escaping (Setting?) -> Void) -> Void
  private var link: GatewayConnection?

  /// The value that the gateway knows, or that a call in flight sends. If this value is `nil`, the
  /// reporter reports the setting in any case.
  private var told: Setting?

  /// - Parameters:
  ///   - wanted: Returns the value that the application requests now.
  ///   - declared: Returns the value in the `Start` request of a connection.
  ///   - say: Sends a value on a connection, and passes the resulting value to `then`, or passes
  ///     `nil` if the reporter must retry.
  init(
    _ wanted: @escaping () -> Setting, declared: @escaping (GatewayConnection) -> Setting,
    _ say: @escaping (GatewayConnection, Setting, _ then: @escaping (Setting?) -> Void) -> Void
  ) {
    (self.wanted, self.declared, self.say) = (wanted, declared, say)
  }

  func begin(_ started: V1.SessionStarted, on link: GatewayConnection) {
    self.link = link
    told = declared(link)
    tell()
  }

  func keepAliveWasAnswered() { tell() }

  func connectionWasLost() { link = nil }

  /// Records that the gateway itself sent the wanted value, so the reporter need not report this
  /// value.
  func wasToldByGateway() { told = wanted() }

  /// Reports the wanted value if the gateway does not know this value.
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

extension SettingReporter<Bool> {
  /// Creates a reporter that reports to the gateway whether the application or a host has muted the
  /// attendee.
  convenience init(of mute: LocalMuteState) {
    self.init({ mute.isMuted }, declared: \.declaredMuted) { link, wanted, then in
      mute.willReport(wanted)
      link.setMuted(wanted) { isTaken in
        if !isTaken { mute.reportFailed() }
        then(isTaken ? wanted : nil)
      }
    }
  }

  /// Creates a reporter that reports to the gateway whether the application requests noise
  /// suppression. The gateway may answer with a value that differs from the wanted value.
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

extension SettingReporter<TranscriptLanguages.Choice> {
  /// Creates a reporter that reports to the gateway the languages in which the attendee reads and
  /// speaks.
  convenience init(of languages: TranscriptLanguages) {
    self.init({ languages.choice }, declared: \.declaredLanguages) { link, wanted, then in
      link.setTranscriptLanguages(wanted) { isTaken in then(isTaken ? wanted : nil) }
    }
  }
}
