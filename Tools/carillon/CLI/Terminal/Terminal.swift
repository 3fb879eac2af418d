internal import Dispatch
internal import Foundation
internal import Output
internal import Synchronization

/// The terminal of this process, while a full-screen view uses the terminal. In the end, this
/// object restores the settings of the terminal.
///
/// Keys arrive one by one and without echo. Ctrl-C still sends SIGINT. This object disables keys
/// that suspend the process or stop the process's output, because these keys would leave a frozen
/// view on an unusable terminal.
final class Terminal: Sendable {
  private struct State {
    /// The settings before the takeover; `nil` after this type has restored them.
    var original: termios?
    var frame = ""
  }

  private let state: Mutex<State>
  private let paint: TerminalColors
  // Sendable because after initialization, this type only cancels the sources, once.
  nonisolated(unsafe) private let sources: [any DispatchSourceProtocol]

  /// Takes over the terminal.
  ///
  /// - Parameters:
  ///   - onKeys: Called with the bytes of pressed keys.
  ///   - onResize: Called after a resize.
  /// - Throws: ``CommandFailure`` if standard input is not a terminal.
  init(
    paint: TerminalColors, onKeys: @escaping @Sendable ([UInt8]) -> Void,
    onResize: @escaping @Sendable () -> Void
  ) throws(CommandFailure) {
    var original = termios()
    guard unsafe tcgetattr(STDIN_FILENO, &original) == 0 else {
      throw .precondition("Standard input is not a terminal; use --plain.")
    }
    state = Mutex(State(original: original))
    self.paint = paint
    let keys = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
    keys.setEventHandler { [keys] in
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
      if count > 0 { onKeys(Array(bytes[..<count])) } else if count == 0 { keys.cancel() }
    }
    let resizes = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: .global())
    resizes.setEventHandler(handler: onResize)
    unsafe sources = [keys, resizes]
    var raw = original
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    raw.c_iflag &= ~tcflag_t(IXON)
    Self.disableSuspending(&raw)
    unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
    // Switches to the alternate screen, and hides the cursor.
    Self.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
    keys.activate()
    resizes.activate()
  }

  deinit { restore() }

  /// Restores the terminal. Later calls have no effect.
  func restore() {
    state.withLock { state in
      guard var original = state.original.take() else { return }
      for source in unsafe sources { source.cancel() }
      Self.write("\u{1B}[?25h\u{1B}[?1049l")
      unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &original)
    }
  }

  /// The current size.
  var size: TerminalSize {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0,
      size.ws_row > 0
    else { return .usual }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Replaces the screen by the given lines in one write, unless the screen already shows these
  /// lines.
  func show(_ lines: [TerminalLine]) {
    let text = lines.map { "\($0.painted(paint))\u{1B}[K" }.joined(separator: "\r\n")
    // Terminals that support synchronized output (mode 2026) draw the frame in one step.
    let frame = "\u{1B}[?2026h\u{1B}[H\(text)\u{1B}[J\u{1B}[?2026l"
    state.withLock { state in
      guard state.original != nil, state.frame != frame else { return }
      state.frame = frame
      Self.write(frame)
    }
  }

  /// Makes the next call of ``show(_:)`` redraw the whole screen, because something else has
  /// changed the screen's content.
  func invalidate() {
    state.withLock { $0.frame = "" }
  }

  private static func disableSuspending(_ settings: inout termios) {
    unsafe withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      for key in [VSUSP, VSTOP, VSTART] {
        unsafe characters[Int(key)] = 0  // _POSIX_VDISABLE (termios(3)).
      }
      unsafe characters[Int(VMIN)] = 1
      unsafe characters[Int(VTIME)] = 0
    }
  }

  /// Writes text. Ignores errors: a lost terminal shows nothing, and SIGHUP ends the process.
  private static func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count)
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        unsafe poll(&output, 1, -1)
      } else if errno != EINTR {
        return
      }
    }
  }
}
