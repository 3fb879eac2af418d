internal import Foundation
internal import ZeroMQ

/// An obstacle between this process and a gateway's Unix socket. A retry does not remove the
/// obstacle.
enum SocketAccessFailure: Hashable {
  /// The socket does not exist.
  case missing(String)
  /// This user has no permission to enter a directory on the socket's path.
  case closedDirectory(String)
  /// This user has no permission to write to the socket.
  case closedSocket(String)

  /// Finds the first obstacle to an endpoint; `nil` if there is no obstacle, or if the endpoint has
  /// no file.
  init?(to endpoint: Endpoint, files: some FilePermissionChecker = FileManager.default) {
    guard case .ipc(let path) = endpoint.transport else { return nil }
    let closed = Self.directories(of: path).first { files.exists($0) && !files.mayEnter($0) }
    if let closed {
      self = .closedDirectory(closed)
    } else if !files.exists(path) {
      self = .missing(path)
    } else if !files.mayWrite(path) {
      self = .closedSocket(path)
    } else {
      return nil
    }
  }

  /// A text that describes the fault and its remedy.
  var advice: String {
    switch self {
    case .missing(let path):
      "\(path) does not exist: start the gateway, or name the socket of one that runs."
    case .closedDirectory(let path): "this user may not enter \(path): \(Self.otherUser)"
    case .closedSocket(let path): "this user may not write to \(path): \(Self.otherUser)"
    }
  }

  private static let otherUser =
    "run the client as the user of the services, or start the gateway with --listen-tcp and "
    + "connect to its tcp:// endpoint."

  /// Returns the directories on the path of a file, topmost first.
  private static func directories(of path: String) -> [String] {
    path.indices.filter { path[$0] == "/" }.map {
      $0 == path.startIndex ? "/" : String(path[..<$0])
    }
  }
}

/// The rights that this process has to files.
protocol FilePermissionChecker {
  /// Returns whether the file exists and this process can see the file.
  func exists(_ path: String) -> Bool
  /// Returns whether this process may enter the directory.
  func mayEnter(_ path: String) -> Bool
  /// Returns whether this process may write to the file.
  func mayWrite(_ path: String) -> Bool
}

extension FileManager: FilePermissionChecker {
  func exists(_ path: String) -> Bool { fileExists(atPath: path) }
  func mayEnter(_ path: String) -> Bool { isExecutableFile(atPath: path) }
  func mayWrite(_ path: String) -> Bool { isWritableFile(atPath: path) }
}
