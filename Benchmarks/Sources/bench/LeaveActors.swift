/// Makes the calling task resume on the thread pool. A task that awaited an actor resumes on the
/// actor's socket thread, where a blocking call would block the actor.
func leaveActors() async { await Task.yield() }
