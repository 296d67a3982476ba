package dev.escapement.physics.loop;

import dev.escapement.physics.spi.TickSource;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputSampler;

/**
 * The source of ticks unless the run is a replica: they take the input that was offered to this service. In slow motion {@link #poll}
 * drains the ring before the tick is due, so that the ring does not fill up.
 *
 * <p>Physics thread only.
 */
record OfferedInput(InputSampler sampler) implements TickSource {

    @Override
    public void poll() {
        sampler.drainRing();
    }

    @Override
    public InputFrame input(long fromNanos, long dueNanos) {
        return sampler.sample(fromNanos, dueNanos);
    }

    @Override
    public long inputsTaken() {
        return sampler.taken();
    }
}
