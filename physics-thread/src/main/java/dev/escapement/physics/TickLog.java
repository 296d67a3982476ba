package dev.escapement.physics;

import dev.escapement.physics.replay.BodyStates;
import dev.escapement.physics.replay.Divergence;
import dev.escapement.physics.replay.InputLog;
import dev.escapement.physics.replay.Recording;
import dev.escapement.physics.replay.ReplayCheck;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where ticks are written down, and the log they are repeated from. In most runs there is neither, and then nothing is hashed.
 *
 * <p>Physics thread only, except {@link #divergence()}.
 */
final class TickLog {

    private final Simulation simulation;
    private final @Nullable BodyStates bodies;
    private final @Nullable Recording recording;
    private final @Nullable ReplayedInput replay;

    /** Whether who ticks may wait for the disk. */
    private final boolean patient;

    private boolean commandsRan;

    private TickLog(
            Simulation simulation, @Nullable Recording recording, @Nullable ReplayedInput replay, boolean patient) {
        this.simulation = simulation;
        bodies = bodiesOf(simulation);
        this.recording = recording;
        this.replay = replay;
        this.patient = patient;
    }

    static TickLog none(Simulation simulation) {
        return new TickLog(simulation, null, null, false);
    }

    /** What the builder was told; begins the recording. */
    static TickLog of(PhysicsServiceBuilder builder, Simulation simulation) {
        BodyStates bodies = bodiesOf(simulation);
        InputLog log = builder.replay;
        Recording recording = builder.recording;
        ReplayedInput replay = log == null ? null : replay(builder, log, bodies);
        if (recording != null) {
            requireSameRate(builder, "recording", recording.run().rate());
            recording.begin(bodies == null ? List.of() : bodies.stateComponents());
        }
        return new TickLog(simulation, recording, replay, builder.inline);
    }

    private static @Nullable BodyStates bodiesOf(Simulation simulation) {
        return simulation instanceof BodyStates states ? states : null;
    }

    private static ReplayedInput replay(PhysicsServiceBuilder builder, InputLog log, @Nullable BodyStates bodies) {
        requireSameRate(builder, "log", log.run().rate());
        return new ReplayedInput(log, new ReplayCheck(log, bodies));
    }

    private static void requireSameRate(PhysicsServiceBuilder builder, String what, TickRate rate) {
        if (!builder.rate.equals(rate)) {
            throw new IllegalArgumentException("the " + what + " says " + rate + ", but ticks are to run at "
                    + builder.rate + "; set both to the same rate");
        }
    }

    /** Another simulation goes on, whose state is not what the ticks so far led to: a log cannot repeat that. */
    static void endWith(PhysicsServiceBuilder builder, long nextTick) {
        if (builder.recording != null) {
            builder.recording.fail(nextTick, new IOException("another simulation goes on from here"));
        }
    }

    /** A tick threw, and may be run once more, whatever part of it was done already: a log cannot repeat that. */
    void failed(long tick, Throwable thrown) {
        if (recording != null) {
            recording.fail(
                    tick,
                    new IOException("tick " + tick + " failed, and no log can repeat half a tick: " + thrown, thrown));
        }
    }

    TickInput input(InputSampler live) {
        return replay == null ? new LiveInput(live) : replay;
    }

    void commandsRan() {
        commandsRan = true;
    }

    /** Of the state after a step; 0 if nobody records or replays. */
    long stateHash() {
        return recording == null && replay == null ? 0 : simulation.hash();
    }

    /** After the step of a tick, which has led to a state of this hash. */
    void stepped(Tick tick, long stateHash) {
        if (replay != null) {
            replay.stepped(stateHash);
        }
        if (recording != null) {
            if (patient) {
                recording.awaitRoom();
            }
            recording.tick(
                    tick.number(),
                    tick.budgetUsed(),
                    tick.input(),
                    tick.eventsWanted(),
                    commandsRan,
                    stateHash,
                    bodies);
        }
        commandsRan = false;
    }

    /** Any thread. */
    Optional<Divergence> divergence() {
        return replay == null ? Optional.empty() : replay.divergence();
    }

    /** After the last tick. The recording is closed by who created it. */
    void close() {
        if (replay != null) {
            replay.close();
        }
    }
}
