package dev.escapement.physics.host;

import dev.escapement.physics.simulation.Movable;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import java.util.concurrent.atomic.AtomicLong;

/** A world with one body, which moves a metre along x in each tick. Any thread may read the counts. */
class Dot implements Simulation, Movable {

    interface Work {
        void step(long tick) throws Exception;
    }

    final AtomicLong steps = new AtomicLong();
    final AtomicLong moves = new AtomicLong();
    final AtomicLong closes = new AtomicLong();
    private final Work work;

    Dot(Work work) {
        this.work = work;
    }

    Dot() {
        this(tick -> {});
    }

    /** Creates a simulation that is not movable: it stays on the thread that has begun it. */
    static Simulation bound(Dot dot) {
        return new Simulation() {
            @Override
            public void step(Tick tick) throws Exception {
                dot.step(tick);
            }

            @Override
            public void capture(PoseWriter poses) {
                dot.capture(poses);
            }
        };
    }

    @Override
    public void step(Tick tick) throws Exception {
        work.step(tick.number());
        steps.incrementAndGet();
    }

    @Override
    public void capture(PoseWriter poses) {
        poses.bodyCount(1);
        poses.set(0, (float) steps.get(), 0, 0, 0, 0, 0, 1);
    }

    @Override
    public void moveToCallingThread() {
        moves.incrementAndGet();
    }

    @Override
    public void close() {
        closes.incrementAndGet();
    }
}
