/// Returns the connection to the server for a session whose caller passes in no other connection.
func makeDefaultConnection(
  logger: SessionLog, media: MediaResult, urlRewriter: @escaping URLRewriter
) -> any SessionConnection {
  ZeroMQSessionConnection(logger: logger, media: media, urlRewriter: urlRewriter)
}
