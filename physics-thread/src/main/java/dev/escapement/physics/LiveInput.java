package dev.escapement.physics;

import dev.escapement.state.input.InputSampler;

/** What happens now. */
record LiveInput(InputSampler sampler) implements TickInput {

    @Override
    public void take(Tick tick, long number, long fromNanos, long dueNanos, double budgetUsed) {
        tick.set(number, dueNanos, budgetUsed, sampler.sample(fromNanos, dueNanos));
    }

    @Override
    public long taken() {
        return sampler.taken();
    }
}
