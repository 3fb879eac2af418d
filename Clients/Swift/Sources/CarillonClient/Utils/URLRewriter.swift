/// Gives back the URL to use in place of the one received, for example to go through a proxy.
///
/// Applied once to each URL when a configuration is built, never when one is decoded.
public typealias URLRewriter = @Sendable (_ url: String) -> String
