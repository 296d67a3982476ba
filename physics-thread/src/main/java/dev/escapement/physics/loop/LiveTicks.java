package dev.escapement.physics.loop;

import dev.escapement.physics.spi.TickSource;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputSampler;

/** The source of ticks that take the input of this service. In slow motion it drains the ring before the tick is due. */
record LiveTicks(InputSampler sampler) implements TickSource {

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
