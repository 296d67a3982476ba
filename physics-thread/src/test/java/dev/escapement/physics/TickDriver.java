package dev.escapement.physics;

import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.Capture;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** Runs a simulation's ticks on the calling thread without waiting. Its clock advances only with the ticks. */
@NullMarked
public final class TickDriver {

    private final Simulation simulation;
    private final ManualClock clock = new ManualClock(0);
    private final InputRing ring = new InputRing(64, clock);
    private final InputSampler sampler = new InputSampler(ring);
    private final Capture capture;
    private final TickRate rate;
    private @Nullable WritableSnapshot latest;
    private WritableSnapshot spare = new WritableSnapshot(0, PoseLayout.PLAIN);
    private WritableSnapshot target = new WritableSnapshot(0, PoseLayout.PLAIN);
    private long captures;
    private long number;

    public TickDriver(Simulation simulation, TickRate rate) {
        this.simulation = simulation;
        this.rate = rate;
        capture = new Capture(simulation::capture, PoseLayout.PLAIN, rate, 0);
    }

    /** Offers an event with the current time, so that the next tick receives it. */
    public void offer(InputKind kind, int code, double x, double y) {
        if (!ring.offer(clock.nanoTime(), kind, code, (float) x, (float) y)) {
            throw new IllegalStateException("the input ring is full: run a tick in between");
        }
    }

    public void step(int ticks) throws Exception {
        for (int i = 0; i < ticks; i++) {
            number++;
            clock.advance(rate.nanosAt(number) - clock.nanoTime());
            long dueNanos = clock.nanoTime();
            InputFrame input = sampler.sample(dueNanos - rate.nanosAt(1), dueNanos);
            simulation.step(Tick.of(rate, number, dueNanos, 0, input, false));
        }
    }

    /** Captures the poses after the last step. The snapshot is valid until the capture after the next. */
    public Snapshot capture() throws Exception {
        WritableSnapshot written = target;
        written.startTick(++captures, clock.nanoTime());
        capture.captureInto(written, latest);
        target = spare;
        spare = written;
        latest = written;
        return written;
    }

    public long quarantinedPoses() {
        return capture.quarantinedPoses();
    }
}
