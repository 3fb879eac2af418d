public import Foundation

/// Returns the URL to use in place of the given one, for example that of a proxy.
///
/// The library calls it once for each URL when a configuration is built, never when one is decoded.
/// It also calls it once for each address that the server names later: that of a gateway, `tcp://…`
/// or `ipc://…`, and that of media whenever media moves. These calls are made on a thread of the
/// library, and must return quickly.
public typealias URLRewriter = @Sendable (_ url: String) -> String

/// The default URL rewriter.
public final class URLRewriterUtils: NSObject, Sendable {
  /// The rewriter that returns every URL unchanged.
  public static let defaultUrlRewriter: URLRewriter = { url in url }
}
