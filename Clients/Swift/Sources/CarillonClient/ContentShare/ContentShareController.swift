/// Shares a second video, such as a screen. Needs no started session.
public protocol ContentShareController: AnyObject, Sendable {
  /// Shares with the default configuration. `contentShareDidStart` follows, also when the connection
  /// was lost and is back; `contentShareDidStop` when the share has failed.
  ///
  /// While sharing it replaces the source. Without a source, or where the meeting allows no content,
  /// nothing happens.
  func startContentShare(source: ContentShareSource)

  /// Shares with this configuration, whose simulcast has no meaning here.
  func startContentShare(source: ContentShareSource, config: LocalVideoConfiguration)

  /// Ends sharing, or the attempt; `contentShareDidStop` follows. The source is not stopped.
  func stopContentShare()

  /// Adds an observer in any state; it hears what happens from now on.
  func addContentShareObserver(observer: any ContentShareObserver)

  func removeContentShareObserver(observer: any ContentShareObserver)
}
