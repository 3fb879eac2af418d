import Dispatch
import MeetingModel

/// What a session takes from its surroundings, so that tests can put something else in its place.
struct SessionEnvironment: Sendable {
  /// Milliseconds since 1970.
  var wallClockMs: @Sendable () -> Int64
  /// Milliseconds of a clock that never jumps.
  var uptimeMs: @Sendable () -> Int64
  /// Makes a scheduler that calls back every so many milliseconds.
  var makeScheduler:
    @Sendable (_ intervalMs: Int, _ callback: @escaping @Sendable () -> Void) -> any Scheduler
  /// Says whether devices may be used.
  var permissions: any PermissionProvider
  /// Makes the internal camera; `nil` without one.
  var makeCamera: @Sendable (SessionLog) -> (any VideoCaptureSource)? = { _ in nil }
  /// The microphones and the loudspeaker.
  var audioRoutes: any AudioRoutes = VirtualAudioRoutes()
  /// Makes the media half of a session, or of its content share; `nil` without any.
  var makeMedia: @Sendable (SessionLog) throws -> (any MediaEngine)? = { _ in nil }
  /// Makes a link to the server, for a session or for its content share.
  var makeConnection:
    @Sendable (SessionLog, MediaResult, @escaping URLRewriter) -> any SessionConnection = {
      makeDefaultConnection(logger: $0, media: $1, urlRewriter: $2)
    }
  /// Says how the process and the machine fare.
  var appStateMonitor: any AppStateMonitor & Sendable

  /// The real surroundings.
  static func live(permissions: any PermissionProvider) -> SessionEnvironment {
    SessionEnvironment(
      wallClockMs: { Int64(WallClock.nowMs) },
      uptimeMs: { Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000) },
      makeScheduler: { IntervalScheduler(intervalMs: $0, callback: $1) },
      permissions: permissions,
      makeCamera: {
        DefaultCameraCaptureSource(drivers: TestPatternCamera.all, log: $0)
      }, appStateMonitor: DefaultAppStateMonitor())
  }
}
