package dev.escapement.physics.simulation;

import dev.escapement.state.input.InputFrame;
import dev.escapement.state.time.TickRate;

/** A tick that never changes. */
record FixedTick(TickRate rate, long number, long dueNanos, double budgetUsed, InputFrame input, boolean eventsWanted)
        implements Tick {}
