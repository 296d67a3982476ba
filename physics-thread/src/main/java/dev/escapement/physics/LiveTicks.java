package dev.escapement.physics;

import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputSampler;

/** Ticks get the input that is offered to this service. In slow motion it is taken out of the ring early, and waits for its tick. */
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
