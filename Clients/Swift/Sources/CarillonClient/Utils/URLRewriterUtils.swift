public import Foundation

/// The rewriter that is used when none is given.
public final class URLRewriterUtils: NSObject, Sendable {
  /// Leaves every URL as it is.
  public static let defaultUrlRewriter: URLRewriter = { url in url }
}
