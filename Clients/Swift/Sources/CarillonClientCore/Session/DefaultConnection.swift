/// The link to the server that sessions use unless they were given another one.
func makeDefaultConnection(
  logger: SessionLog, media: MediaResult, urlRewriter: @escaping URLRewriter
) -> any SessionConnection {
  ZeroMQSessionConnection(logger: logger, media: media, urlRewriter: urlRewriter)
}
