/// The id of a service that the gateway follows: the service's name in the registry.
///
/// Each folder of this target that contains the code for a service declares the id of this service.
struct ServiceID: Hashable, Sendable, CustomStringConvertible {
  /// The name in the registry, for example `video-tiles`.
  let name: String

  var description: String { name }
}
