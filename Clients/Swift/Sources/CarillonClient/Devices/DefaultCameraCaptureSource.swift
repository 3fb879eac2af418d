public import Foundation

/// A camera of this machine as a source: a test pattern where there is none.
///
/// `@unchecked Sendable` because everything that changes is read and set under the lock; drivers
/// and observers are called outside of it.
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
  private let log: SessionLog
  private let lock = NSLock()
  private var state: State

  /// What is asked of a camera when nothing else is said.
  private static let wantedFormat = VideoCaptureFormat(width: 1280, height: 720, maxFrameRate: 30)

  /// The front camera, at rest.
  public convenience init(logger: any Logger) {
    self.init(drivers: TestPatternCamera.all, log: SessionLog(logger: logger))
  }

  package init(drivers: [any CameraDriver], log: SessionLog) {
    self.drivers = drivers
    self.log = log
    let first = drivers.first { $0.device.type == .videoFrontCamera } ?? drivers.first
    state = State(
      current: first, format: first?.format(nearest: Self.wantedFormat) ?? Self.wantedFormat)
  }

  /// Names where the choice of a camera and its failures are published.
  public func setEventAnalyticsController(
    eventAnalyticsController: (any EventAnalyticsController)?
  ) {
    lock.withLock { state.eventAnalytics = eventAnalyticsController }
  }

  public var videoContentHint: VideoContentHint {
    get { lock.withLock { state.hint } }
    set { lock.withLock { state.hint = newValue } }
  }

  /// No camera here has a lamp.
  public var torchAvailable: Bool { false }

  public var torchEnabled: Bool {
    get { false }
    set {
      if newValue { log.error("The camera has no torch.") }
    }
  }

  // MARK: The camera

  /// nil without any. Setting nil, or what is no camera of this machine, changes nothing; a running
  /// camera goes on as the new one.
  public var device: MediaDevice? {
    get { lock.withLock { state.current?.device } }
    set {
      guard let newValue else { return }
      // Whatever is not the front camera is the back one, here as elsewhere.
      let type: MediaDeviceType =
        newValue.type == .videoFrontCamera ? .videoFrontCamera : .videoBackCamera
      use(drivers.first { $0.device.type == type })
    }
  }

  /// The nearest one that the camera has. A running camera goes on with it.
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
      publish(.videoInputFailed, [.videoInputError: MediaError.noCameraSelected])
      return
    }
    publish(.videoInputSelected, [.videoDeviceType: driver.device.type])
    if isRunning { run(driver) }
  }

  private func publish(_ name: EventName, _ attributes: [EventAttributeName: Any]) {
    lock.withLock { state.eventAnalytics }?.publishEvent(name: name, attributes: attributes)
  }

  // MARK: Capturing

  public func start() {
    guard let driver = lock.withLock({ state.current }) else { return }
    guard run(driver) else { return }
    observers.post { $0.captureDidStart() }
  }

  /// Always tells that it has stopped, also at rest.
  public func stop() {
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
      try driver.start(format) { [sinks] in sinks.deliver($0) }
      return true
    } catch {
      lock.withLock { state.isRunning = false }
      publish(.videoInputFailed, [.videoInputError: error])
      observers.post { $0.captureDidFail(error: error) }
      return false
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
