public import Foundation

/// Gives back the URL to use in place of the one received, for example to go through a proxy.
///
/// Applied once to each URL when a configuration is built, never when one is decoded, and once to
/// each address that the server names later: the gateway's, `tcp://…` or `ipc://…`, where the
/// session has to find it, and media's, whenever media is elsewhere. Those calls come on a thread
/// of the library that must not wait for long.
public typealias URLRewriter = @Sendable (_ url: String) -> String

/// The rewriter that is used when none is given.
public final class URLRewriterUtils: NSObject, Sendable {
  /// Leaves every URL as it is.
  public static let defaultUrlRewriter: URLRewriter = { url in url }
}
