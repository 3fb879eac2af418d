import Wire

/// The pictures that one browser gets and sends, as it was told last.
///
/// Lives on the gateway's socket thread.
final class BrowserPictures {
  /// What it gets.
  var reception = BrowserReception()

  /// Video-tiles has not heard of all that it gets.
  var isBehind = false

  /// A call to video-tiles is under way.
  var isSubscribing = false

  /// What it sends; `nil` before its first SUBSCRIBE.
  var publication: BrowserPublication?

  /// Where media has answered its offer; `nil` while it has answered none.
  var place: MediaPlace?

  /// The client is the public one in C++, which assigns sections by itself.
  var isNative = false

  /// Returns an encoding of somebody else; `nil` where there is none of this number.
  let stream: (UInt32) -> PictureStream?

  init(stream: @escaping (UInt32) -> PictureStream?) { self.stream = stream }
}
