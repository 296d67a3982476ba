package dev.escapement.physics;

/** A listener as a hook, which is told of no commands. */
record ListenerHook(TickListener listener) implements TickHook {

    @Override
    public void published(TickTimes times) {
        listener.ticked(times.tick, times.dueNanos, times.startedNanos, times.steppedNanos, times.publishedNanos);
    }
}
