public import Foundation

/// Gives back the URL to use in place of the one received, for example to go through a proxy.
///
/// Applied once to each URL when a configuration is built, never when one is decoded.
public typealias URLRewriter = @Sendable (_ url: String) -> String

/// The rewriter that is used when none is given.
public final class URLRewriterUtils: NSObject, Sendable {
  /// Leaves every URL as it is.
  public static let defaultUrlRewriter: URLRewriter = { url in url }
}
