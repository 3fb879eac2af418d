import Dispatch
import MeetingModel

/// The external dependencies of a session. Tests can replace these dependencies.
struct SessionDependencies: Sendable {
  /// Returns the time in milliseconds since 1970.
  var wallClockMs: @Sendable () -> Int64
  /// Returns the milliseconds of a monotonic clock.
  var uptimeMs: @Sendable () -> Int64
  /// Creates a scheduler that calls back every `intervalMs` milliseconds.
  var makeScheduler:
    @Sendable (_ intervalMs: Int, _ callback: @escaping @Sendable () -> Void) -> any Scheduler
  /// Decides whether the session may use the devices.
  var permissions: any PermissionProvider
  /// Creates the internal camera; returns `nil` if there is none.
  var makeCamera: @Sendable (SessionLogger) -> (any VideoCaptureSource)? = { _ in nil }
  /// The microphones and the loudspeaker.
  var audioRoutes: any AudioDevices = VirtualAudioRoutes()
  /// Creates the media engine of a session or of its content share; returns `nil` if the session
  /// has no media.
  var makeMedia: @Sendable (SessionLogger) throws -> (any MediaEngine)? = { _ in nil }
  /// Creates a connection to the server, for a session or for its content share.
  var makeConnection:
    @Sendable (SessionLogger, MediaResult, @escaping URLRewriter) -> any SessionConnection = {
      makeDefaultConnection(logger: $0, media: $1, urlRewriter: $2)
    }
  /// Reports the state of the process and of the machine.
  var appStateMonitor: any AppStateMonitor & Sendable

  /// Returns the real dependencies.
  static func live(permissions: any PermissionProvider) -> SessionDependencies {
    SessionDependencies(
      wallClockMs: { Int64(WallClock.nowMs) },
      uptimeMs: { Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000) },
      makeScheduler: { IntervalScheduler(intervalMs: $0, callback: $1) },
      permissions: permissions,
      makeCamera: {
        DefaultCameraCaptureSource(drivers: TestPatternCamera.all, log: $0)
      }, appStateMonitor: DefaultAppStateMonitor())
  }
}
