package dev.escapement.physics;

import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.restore.StateHash;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Masses on springs that input pushes: each event pushes one mass, a held W key pushes all. It implements all optional parts of a
 * simulation: a hash and a restorable state. It allocates nothing per tick.
 */
@NullMarked
public class PushedMasses implements Simulation, Restorable {

    private static final int AXES = 3;
    private static final int LENGTH = 2 * AXES;
    private static final int KEY_W = 87;

    /** A push of the mass numbered {@code body}; the number may be out of range. */
    public record Push(int body, double dvy) {

        public static final CommandType<Push, Integer> TYPE = CommandType.of(
                "push",
                1,
                (push, to) -> {
                    to.writeInt(push.body());
                    to.writeFloat((float) push.dvy());
                },
                from -> new Push(from.readInt(), from.readFloat()));
    }

    private static final double STIFFNESS_PER_MASS = 40;
    private static final double PUSH_METRES_PER_SECOND_SQUARED = 15;

    private final int bodies;

    /** Three displacements, then three velocities per body, one body after the other. */
    private final double[] state;

    private final long[] bits;
    private long inputsApplied;
    private @Nullable CommandHandlers commands; // created on first use, because it refers to this object

    public PushedMasses(int bodies) {
        this.bodies = bodies;
        state = new double[LENGTH * bodies];
        bits = new long[state.length];
        for (int body = 0; body < bodies; body++) {
            for (int axis = 0; axis < AXES; axis++) {
                state[LENGTH * body + axis] = 0.1 * (axis + 1) + 0.01 * body;
            }
        }
    }

    @Override
    public void step(Tick tick) {
        apply(tick.input(), tick.dtSeconds());
        for (int body = 0; body < bodies; body++) {
            for (int at = LENGTH * body; at < LENGTH * body + AXES; at++) {
                state[at + AXES] -= STIFFNESS_PER_MASS * state[at] * tick.dtSeconds();
                state[at] += state[at + AXES] * tick.dtSeconds();
            }
        }
    }

    private void apply(InputFrame input, double dtSeconds) {
        for (int i = 0; i < input.size(); i++) {
            InputEvent event = input.event(i);
            double dv = event.kind() == InputKind.APPLICATION ? event.y() : 1;
            push(Math.floorMod(Math.round(event.x()) + event.code(), bodies), dv / 2, dv, 0);
            inputsApplied++;
        }
        for (int body = 0; body < bodies && input.state().isKeyDown(KEY_W); body++) {
            push(body, 0, 0, -PUSH_METRES_PER_SECOND_SQUARED * dtSeconds);
        }
    }

    public void push(int body, double dvx, double dvy, double dvz) {
        int at = LENGTH * body + AXES;
        state[at] += dvx;
        state[at + 1] += dvy;
        state[at + 2] += dvz;
    }

    public long inputsApplied() {
        return inputsApplied;
    }

    @Override
    public void capture(PoseWriter poses) {
        poses.bodyCount(bodies);
        for (int body = 0; body < bodies; body++) {
            int at = LENGTH * body;
            poses.set(body, 2 * body + (float) state[at], (float) state[at + 1], (float) state[at + 2], 0, 0, 0, 1);
        }
    }

    @Override
    public CommandHandlers commands() {
        if (commands == null) {
            commands = new CommandHandlers().on(Push.TYPE, (tick, push) -> {
                push(push.body(), 0, push.dvy(), 0);
                return push.body();
            });
        }
        return commands;
    }

    @Override
    public long hash() {
        for (int i = 0; i < bits.length; i++) {
            bits[i] = Double.doubleToRawLongBits(state[i]);
        }
        return StateHash.finish(StateHash.addAll(StateHash.start(), bits, bits.length));
    }

    public double height(int body) {
        return state[LENGTH * body + 1];
    }

    @Override
    public void save(StateBuffer to) {
        to.put(inputsApplied);
        for (double value : state) {
            to.put(value);
        }
    }

    @Override
    public void restore(StateBuffer from) {
        inputsApplied = from.getLong();
        for (int i = 0; i < state.length; i++) {
            state[i] = from.getDouble();
        }
    }
}
