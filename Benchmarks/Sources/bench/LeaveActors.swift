/// Goes on in the pool. A task that has awaited an actor goes on where that lives, on its socket
/// thread; what blocks there would hold up the actor.
func leaveActors() async { await Task.yield() }
