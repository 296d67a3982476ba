package dev.escapement.physics;

import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.fault.FaultSeam;
import java.util.ArrayList;
import java.util.List;

/** A world in which every call can fail. It counts each call before it fails. */
final class SeamWorld implements Simulation {

    /** Bodies that commands have created and the next capture spawns. Physics thread. */
    final List<Long> crates = new ArrayList<>();

    volatile long steps;
    volatile long inputs;
    volatile int closings;
    private final FaultSeam seam;

    SeamWorld(FaultSeam seam) {
        this.seam = seam;
    }

    @Override
    public void begin() {
        seam.reached("begin");
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    public void step(Tick tick) {
        inputs += tick.input().size();
        seam.reached("step");
        steps++;
    }

    @Override
    public void capture(PoseWriter poses) {
        seam.reached("capture");
        for (long id : crates) {
            poses.spawn(id, 0);
            poses.set(poses.slotOf(id), 0, 0, 0, 0, 0, 0, 1);
        }
        crates.clear();
    }

    @Override
    public void events(EventWriter events) {
        seam.reached("events");
    }

    @Override
    public long hash() {
        seam.reached("hash");
        return steps;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    public void close() {
        closings++;
        seam.reached("close");
    }
}
