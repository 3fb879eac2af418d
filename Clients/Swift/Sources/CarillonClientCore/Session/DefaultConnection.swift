/// Creates the connection to the server that a session uses if its creator passes in no other
/// connection.
func makeDefaultConnection(
  logger: SessionLog, media: MediaResult, urlRewriter: @escaping URLRewriter
) -> any SessionConnection {
  ZeroMQSessionConnection(logger: logger, media: media, urlRewriter: urlRewriter)
}
