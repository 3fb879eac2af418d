internal import Foundation
internal import Output

extension Terminal {
  /// Takes over the terminal for a full-screen view. The user quits the view with `q`, and redraws
  /// it with Ctrl-L.
  ///
  /// - Throws: ``CommandFailure`` if standard input is not a terminal.
  convenience init(
    onQuit: @escaping @Sendable () -> Void, onRedraw: @escaping @Sendable () -> Void
  ) throws(CommandFailure) {
    try self.init(
      paint: TerminalColors(for: STDOUT_FILENO, environment: ProcessInfo.processInfo.environment),
      onKeys: { bytes in
        for byte in bytes.prefix(while: { $0 != 0x1B }) {
          switch byte {
          case UInt8(ascii: "q"), UInt8(ascii: "Q"): onQuit()
          case 0x0C: onRedraw()  // Ctrl-L.
          default: break
          }
        }
      },
      onResize: onRedraw)
  }

  /// Returns whether to show a full-screen view for this output. A full-screen view needs a capable
  /// terminal.
  static func canShowView(_ format: OutputFormat) -> Bool {
    format == .text && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
      && TerminalType(in: ProcessInfo.processInfo.environment) == .capable
  }
}
