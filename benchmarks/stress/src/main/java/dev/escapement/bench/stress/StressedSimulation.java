package dev.escapement.bench.stress;

import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.world.WorldSimulation;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSource;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The user's world, with numbered commands as data, and a count of its own code's allocations. Physics thread. */
class StressedSimulation extends ForwardingSimulation {

    static final String NAME = "escapement-stress";
    static final CommandType<Act, Long> ACT = CommandType.of(NAME, 1, Act::write, Act::read);

    private final CommandHandlers handlers = new CommandHandlers();

    /** The bytes that the world's code has allocated. Wrong after a call that throws, but such a call ends the world. */
    private long allocatedBytes;

    private boolean hasHash = true;

    /** Why the world could not stress itself; its next step throws it. */
    private @Nullable Exception stressFailed;

    /**
     * A numbered command.
     *
     * @param lane   commands of one lane run in their order
     * @param number from 0; lane and number determine the answer
     * @param seed   the seed of the random numbers if the world must {@linkplain StressedWorld#stress stress itself}; else 0
     */
    record Act(int lane, long number, long seed) {

        private void write(DataOutput to) throws IOException {
            to.writeInt(lane);
            to.writeLong(number);
            to.writeLong(seed);
        }

        static Act read(DataInput from) throws IOException {
            return new Act(from.readInt(), from.readLong(), from.readLong());
        }
    }

    StressedSimulation(Simulation world) {
        super(world);
        handlers.on(ACT, (tick, act) -> act(tick, act));
    }

    private long act(long tick, Act act) {
        if (act.seed() != 0 && stressFailed == null && simulation instanceof StressedWorld stressed) {
            try {
                stressed.stress(new SplittableRandom(act.seed()));
            } catch (Exception e) {
                stressFailed = e; // the exception would only fail the command, but this world cannot continue
            }
        }
        return CommandLedger.answer(act.lane(), act.number(), tick);
    }

    /** Returns the bytes that the world's code has allocated in its ticks so far. Call it between two calls of the world. */
    final long allocatedBytes() {
        return allocatedBytes;
    }

    /**
     * Returns whether the world offers its own input, which the ring counts, too. The input source that checks for touched bodies offers
     * none.
     */
    final boolean offersInput() {
        boolean isTouchWatch = simulation instanceof WorldSimulation && !(simulation instanceof InputSource);
        return !isTouchWatch && super.capability(InputSource.class).isPresent();
    }

    /** Wraps the world's input source, to count its allocations. */
    @Override
    public final <T> Optional<T> capability(Class<T> type) {
        Optional<T> found = super.capability(type);
        return type == InputSource.class ? found.map(own -> type.cast(new CountedSource((InputSource) own))) : found;
    }

    private final class CountedSource implements InputSource {

        private final InputSource own;

        CountedSource(InputSource own) {
            this.own = own;
        }

        @Override
        public void poll(InputRing ring) {
            allocatedBytes -= ThreadCounts.allocatedBytes();
            own.poll(ring);
            allocatedBytes += ThreadCounts.allocatedBytes();
        }

        @Override
        public void close() {
            own.close();
        }
    }

    /** Whether the world may have a hash: no call has shown yet that it has none. Any thread, after the end of the service. */
    final boolean hasHash() {
        return hasHash;
    }

    @Override
    public final CommandHandlers commands() {
        return handlers;
    }

    @Override
    public final void step(Tick tick) throws Exception {
        if (stressFailed != null) {
            throw stressFailed;
        }
        allocatedBytes -= ThreadCounts.allocatedBytes();
        super.step(tick);
        allocatedBytes += ThreadCounts.allocatedBytes();
    }

    /**
     * The hash of the world after a step, for recordings; 0 if the world has none. Only this call finds that out, because it is on the
     * world's thread.
     */
    @Override
    public long hash() {
        if (!hasHash) {
            return 0;
        }
        try {
            allocatedBytes -= ThreadCounts.allocatedBytes();
            return super.hash();
        } catch (UnsupportedOperationException none) {
            hasHash = false;
            return 0;
        } finally {
            allocatedBytes += ThreadCounts.allocatedBytes();
        }
    }

    @Override
    public final void capture(PoseWriter poses) throws Exception {
        allocatedBytes -= ThreadCounts.allocatedBytes();
        super.capture(poses);
        allocatedBytes += ThreadCounts.allocatedBytes();
    }

    @Override
    public final void events(EventWriter events) throws Exception {
        allocatedBytes -= ThreadCounts.allocatedBytes();
        super.events(events);
        allocatedBytes += ThreadCounts.allocatedBytes();
    }
}
