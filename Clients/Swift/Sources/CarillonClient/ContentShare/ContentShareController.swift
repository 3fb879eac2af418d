/// Shares a second video, such as a screen. Needs no started session.
public protocol ContentShareController: AnyObject, Sendable {
  /// Shares with the default configuration. Not available yet.
  func startContentShare(source: ContentShareSource)

  /// Shares with this configuration, whose simulcast has no meaning here. Not available yet.
  func startContentShare(source: ContentShareSource, config: LocalVideoConfiguration)

  /// Ends sharing. Not available yet.
  func stopContentShare()

  /// Adds an observer in any state; it hears what happens from now on.
  func addContentShareObserver(observer: any ContentShareObserver)

  func removeContentShareObserver(observer: any ContentShareObserver)
}
