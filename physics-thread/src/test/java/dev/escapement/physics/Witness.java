package dev.escapement.physics;

import dev.escapement.physics.restore.StateHash;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputState;
import java.util.ArrayList;
import java.util.List;

/** A simulation whose state hashes every value of a tick on which a simulation may depend. */
public class Witness implements Simulation {

    public final List<Long> hashes = new ArrayList<>();

    private long state = StateHash.start();

    @Override
    public void step(Tick tick) throws Exception {
        see(tick.number());
        see(Double.doubleToRawLongBits(tick.dtSeconds()));
        see(Double.doubleToRawLongBits(tick.budgetUsed()));
        see(tick.eventsWanted() ? 1 : 0);
        InputFrame input = tick.input();
        see(input.lengthNanos());
        for (int i = 0; i < input.size(); i++) {
            see(input.event(i));
        }
        see(input.state());
        hashes.add(hash());
    }

    private void see(InputEvent event) {
        see(event.sequence());
        see(event.offsetNanos());
        see(event.isLate() ? 1 : 0);
        see(event.kind().name().hashCode());
        see(event.code());
        see(Float.floatToRawIntBits(event.x()));
        see(Float.floatToRawIntBits(event.y()));
    }

    private void see(InputState levels) {
        for (int code = 0; code < InputState.POINTERS; code++) {
            see((levels.isKeyDown(code) ? 1 : 0)
                    + (levels.isPointerDown(code) ? 2 : 0)
                    + (levels.isButtonDown(code) ? 4 : 0));
            see(Float.floatToRawIntBits(levels.axis(code)));
        }
    }

    private void see(long value) {
        state = StateHash.add(state, value);
    }

    @Override
    public void capture(PoseWriter poses) {
        poses.bodyCount(1);
        poses.set(0, hashes.size(), 0, 0, 0, 0, 0, 1);
    }

    @Override
    public long hash() {
        return StateHash.finish(state);
    }
}
