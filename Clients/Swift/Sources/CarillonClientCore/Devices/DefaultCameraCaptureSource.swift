import Dispatch
public import Foundation

/// A source that captures the picture of a camera of this machine, or a test pattern if the machine
/// has no camera.
///
/// `@unchecked Sendable` because locks guard all mutable state. The source calls drivers and
/// observers outside `lock`.
public final class DefaultCameraCaptureSource: NSObject, CameraCaptureSource, @unchecked Sendable {
  private struct State {
    var current: (any CameraDriver)?
    var format: VideoCaptureFormat
    var isRunning = false
    var hint = VideoContentHint.motion
    var eventAnalytics: (any EventAnalyticsController)?
  }

  private let drivers: [any CameraDriver]
  private let sinks = SinkList()
  private let observers = ObserverRegistry<any CaptureSourceObserver>()
  private let log: SessionLogger
  private let lock = NSLock()
  private var state: State
  private let nowNs: @Sendable () -> UInt64
  private let makeScheduler: @Sendable (@escaping @Sendable () -> Void) -> any Scheduler

  /// The lock that guards the stall detector and its timer, and keeps the events of the detector
  /// and of the timer in order. Code that needs both locks takes this lock before `lock`.
  private let watchLock = NSLock()
  private var watch: CaptureStallDetector?
  private var watchTimer: (any Scheduler)?

  /// The format that the source requests by default.
  private static let wantedFormat = VideoCaptureFormat(width: 1280, height: 720, maxFrameRate: 30)

  /// Creates a source that uses the front camera and does not capture yet.
  public convenience init(logger: any Logger) {
    self.init(drivers: TestPatternCamera.all, log: SessionLogger(logger: logger))
  }

  /// - Parameters:
  ///   - drivers: The cameras. The source starts with the front camera.
  ///   - nowNs: Returns the time of the monotonic clock, in nanoseconds.
  ///   - makeScheduler: Creates the scheduler that checks for a camera without frames.
  package init(
    drivers: [any CameraDriver], log: SessionLogger,
    nowNs: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds },
    makeScheduler: @escaping @Sendable (@escaping @Sendable () -> Void) -> any Scheduler = {
      IntervalScheduler(intervalMs: 500, callback: $0)
    }
  ) {
    self.drivers = drivers
    self.log = log
    self.nowNs = nowNs
    self.makeScheduler = makeScheduler
    let first = drivers.first { $0.device.type == .videoFrontCamera } ?? drivers.first
    state = State(
      current: first, format: first?.format(nearest: Self.wantedFormat) ?? Self.wantedFormat)
  }

  /// Sets the controller that publishes the choice of a camera and the failures of the camera.
  public func setEventAnalyticsController(
    eventAnalyticsController: (any EventAnalyticsController)?
  ) {
    lock.withLock { state.eventAnalytics = eventAnalyticsController }
  }

  public var videoContentHint: VideoContentHint {
    get { lock.withLock { state.hint } }
    set { lock.withLock { state.hint = newValue } }
  }

  /// Always false, because the virtual cameras have no torch.
  public var torchAvailable: Bool { false }

  public var torchEnabled: Bool {
    get { false }
    set {
      if newValue { log.error("The camera has no torch.") }
    }
  }

  // MARK: The camera

  /// The camera in use; `nil` if there is none.
  ///
  /// Setting `nil` has no effect. Setting a device that is not a front camera selects the back
  /// camera. A running capture continues with the new camera. If the machine lacks the selected
  /// camera, front or back, the device becomes `nil`, and a running capture pauses until the
  /// application selects another camera.
  public var device: MediaDevice? {
    get { lock.withLock { state.current?.device } }
    set {
      guard let newValue else { return }
      // This code regards any device that is not a front camera as the back camera.
      let type: MediaDeviceType =
        newValue.type == .videoFrontCamera ? .videoFrontCamera : .videoBackCamera
      use(drivers.first { $0.device.type == type })
    }
  }

  /// The capture format.
  ///
  /// Setting a format selects the camera's nearest format. A running capture continues with this
  /// format.
  public var format: VideoCaptureFormat {
    get { lock.withLock { state.format } }
    set {
      let isRunning = lock.withLock {
        state.format = state.current?.format(nearest: newValue) ?? newValue
        return state.isRunning
      }
      if isRunning { restart() }
    }
  }

  public func switchCamera() {
    let isFront = device?.type == .videoFrontCamera
    let type: MediaDeviceType = isFront ? .videoBackCamera : .videoFrontCamera
    use(drivers.first { $0.device.type == type })
  }

  private func use(_ driver: (any CameraDriver)?) {
    let (former, isRunning) = lock.withLock {
      defer {
        state.current = driver
        if let driver { state.format = driver.format(nearest: state.format) }
      }
      return (state.current, state.isRunning)
    }
    if isRunning { former?.stop() }
    guard let driver else {
      endWatch()
      publish(.videoInputFailed, [.videoInputError: MediaError.noCameraSelected])
      return
    }
    publish(.videoInputSelected, [.videoDeviceType: driver.device.type], notifyObservers: false)
    if isRunning { run(driver) }
  }

  private func publish(
    _ name: EventName, _ attributes: [EventAttributeName: Any], notifyObservers: Bool = true
  ) {
    lock.withLock { state.eventAnalytics }?
      .publishEvent(name: name, attributes: attributes, notifyObservers: notifyObservers)
  }

  // MARK: Capturing

  public func start() {
    guard let driver = lock.withLock({ state.current }) else { return }
    guard run(driver) else { return }
    observers.post { $0.captureDidStart() }
  }

  /// Stops the capture, and always calls `captureDidStop`, even if the source captured nothing.
  public func stop() {
    endWatch()
    lock.withLock {
      state.isRunning = false
      return state.current
    }?.stop()
    observers.post { $0.captureDidStop() }
  }

  private func restart() {
    guard let driver = lock.withLock({ state.current }) else { return }
    driver.stop()
    run(driver)
  }

  @discardableResult
  private func run(_ driver: any CameraDriver) -> Bool {
    let format = lock.withLock {
      state.isRunning = true
      return state.format
    }
    do {
      beginWatch(of: format)
      try driver.start(format) { [weak self, sinks] frame in
        self?.watchFrame()
        sinks.deliver(frame)
      }
      return true
    } catch {
      endWatch()
      lock.withLock { state.isRunning = false }
      publish(.videoInputFailed, [.videoInputError: error])
      observers.post { $0.captureDidFail(error: error) }
      return false
    }
  }

  // MARK: Interruptions

  private func beginWatch(of format: VideoCaptureFormat) {
    watchLock.withLock {
      watch = CaptureStallDetector(framesPerSecond: format.maxFrameRate, startedAt: nowNs())
      watchTimer = watchTimer ?? makeScheduler { [weak self] in self?.look() }
      watchTimer?.start()
    }
  }

  private func endWatch() {
    watchLock.withLock {
      watch = nil
      watchTimer?.stop()
    }
  }

  private func watchFrame() {
    watchLock.withLock { tell(watch?.frameCame(at: nowNs()) ?? []) }
  }

  private func look() {
    watchLock.withLock { tell(watch?.look(at: nowNs()) ?? []) }
  }

  private func tell(_ changes: [CaptureStallDetector.Change]) {
    for change in changes {
      switch change {
      case .interrupted:
        publish(
          .videoInterruptionBegan, [.videoInterruptionReason: VideoInterruptionReason.other],
          notifyObservers: false)
      case .resumed:
        publish(.videoInterruptionEnded, [:], notifyObservers: false)
      }
    }
  }

  public func addVideoSink(sink: any VideoSink) { sinks.add(sink) }
  public func removeVideoSink(sink: any VideoSink) { sinks.remove(sink) }

  public func addCaptureSourceObserver(observer: any CaptureSourceObserver) {
    observers.add(observer)
  }

  public func removeCaptureSourceObserver(observer: any CaptureSourceObserver) {
    observers.remove(observer)
  }
}
