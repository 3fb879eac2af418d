public import CarillonClient

extension DefaultMeetingSession {
  /// A session that is heard and hears, is seen and sees.
  ///
  /// - Parameters:
  ///   - audio: What it says, and where it hears.
  ///   - permissionProvider: Asked for permissions; every one is granted by default.
  public convenience init(
    configuration: MeetingSessionConfiguration, logger: any Logger, audio: MediaAudio,
    permissionProvider: any PermissionProvider = FixedPermissionProvider()
  ) {
    self.init(
      configuration: configuration, logger: logger, permissionProvider: permissionProvider
    ) { log in
      do {
        let runtime = try ClientRuntime.current()
        return RTPMediaEngine(
          audio: audio, in: runtime.context, on: runtime.mediaThread, log: log)
      } catch {
        log.error("There is no media: \(error)")
        return nil
      }
    }
  }
}
