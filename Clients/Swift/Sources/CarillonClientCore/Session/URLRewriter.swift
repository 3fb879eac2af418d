public import Foundation

/// Returns the URL to use instead of the given URL, for example a proxy's URL.
///
/// When the application creates a configuration, the library calls the rewriter once for each URL.
/// The library does not call the rewriter while the library decodes a configuration. The library
/// also calls the rewriter once for each address that the server sends later: the address of a
/// gateway (`tcp://…` or `ipc://…`), and the address of `media` whenever that address changes. The
/// library makes these calls on one of its threads, so the rewriter must return quickly.
public typealias URLRewriter = @Sendable (_ url: String) -> String

/// The default URL rewriter.
public final class URLRewriterUtils: NSObject, Sendable {
  /// The rewriter that returns every URL unchanged.
  public static let defaultUrlRewriter: URLRewriter = { url in url }
}
