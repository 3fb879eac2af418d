import HummingbirdCore
import Logging
import NIOCore
import ServiceHost
import Synchronization

/// A channel that limits the number of open connections from each address.
///
/// The channel closes further connections, so clients at one address cannot block clients at other
/// addresses.
struct AddressLimitChannel<Base: ServerChildChannel>: ServerChildChannel {
  private let base: Base
  private let most: Int
  private let refused: Counter
  private let present = Present()

  /// The number of open connections from each address.
  private final class Present: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    /// - Returns: The number of open connections from the address, including the new connection.
    func enter(_ address: String) -> Int {
      counts.withLock { counts in
        counts[address, default: 0] += 1
        return counts[address, default: 0]
      }
    }

    func leave(_ address: String) {
      counts.withLock { counts in
        let left = counts[address, default: 1] - 1
        counts[address] = left == 0 ? nil : left
      }
    }
  }

  /// - Parameters:
  ///   - most: The maximum number of open connections from one address.
  ///   - refused: Counts the connections that the channel closes because they exceed `most`.
  init(_ base: Base, most: Int, counting refused: Counter) {
    (self.base, self.most, self.refused) = (base, most, refused)
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
    guard let address = channel.remoteAddress?.ipAddress else {
      return base.setup(channel: channel, logger: logger)
    }
    let count = present.enter(address)
    channel.closeFuture.whenComplete { [present] _ in present.leave(address) }
    guard count > most else { return base.setup(channel: channel, logger: logger) }
    refused.increment()
    // An error here would stop the server. So this code first sets up the connection as usual, and
    // then closes the connection.
    return base.setup(channel: channel, logger: logger).map { value in
      channel.close(promise: nil)
      return value
    }
  }

  func handle(value: Base.Value, logger: Logger) async {
    await base.handle(value: value, logger: logger)
  }
}
