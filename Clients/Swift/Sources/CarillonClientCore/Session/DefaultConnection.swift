/// Creates the default connection to the server. A session uses this connection if the creator of
/// the session passes in no other connection.
func makeDefaultConnection(
  logger: SessionLogger, media: MediaResult, urlRewriter: @escaping URLRewriter
) -> any SessionConnection {
  ZeroMQSessionConnection(logger: logger, media: media, urlRewriter: urlRewriter)
}
