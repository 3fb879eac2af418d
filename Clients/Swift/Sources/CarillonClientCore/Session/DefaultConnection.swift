/// Returns the connection to the server that sessions use unless the caller passes in another
/// connection.
func makeDefaultConnection(
  logger: SessionLog, media: MediaResult, urlRewriter: @escaping URLRewriter
) -> any SessionConnection {
  ZeroMQSessionConnection(logger: logger, media: media, urlRewriter: urlRewriter)
}
