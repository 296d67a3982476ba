package dev.escapement.bench.stress;

import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.world.WorldSimulation;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.input.InputSink;
import dev.escapement.state.input.InputSource;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Wraps the user's world. Adds numbered commands as data, and counts the bytes that the world's own code allocates. Physics thread. */
class StressedSimulation extends ForwardingSimulation {

    static final String NAME = "escapement-stress";
    static final CommandType<Act, Long> ACT = CommandType.of(NAME, 1, Act::write, Act::read);

    private final CommandHandlers handlers = new CommandHandlers();

    /** The bytes that the world's code has allocated. If a call throws, the number is wrong, but then the world ends. */
    private long allocatedBytes;

    private boolean hasHash = true;

    /** The exception of the world's {@code stress} method. The next step throws it. */
    private @Nullable Exception stressFailed;

    /**
     * A numbered command.
     *
     * @param lane   commands of the same lane run in their order
     * @param number from 0. Lane, number and tick determine the answer
     * @param seed   the seed for {@link StressedWorld#stress}, which the command calls; 0 if it must not
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
                // Kept, because throwing here would fail only the command, while this world cannot continue.
                stressFailed = e;
            }
        }
        return CommandLedger.answer(act.lane(), act.number(), tick);
    }

    final long allocatedBytes() {
        return allocatedBytes;
    }

    /**
     * Returns whether the world itself offers input, which the ring counts. The input source of a WorldSimulation, which only watches for
     * touched bodies, offers none.
     */
    final boolean offersInput() {
        boolean isTouchWatch = simulation instanceof WorldSimulation && !(simulation instanceof InputSource);
        return !isTouchWatch && super.capability(InputSource.class).isPresent();
    }

    /** Wraps the input source of the world, to count its allocations. */
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
        public void poll(InputSink sink) {
            allocatedBytes -= ThreadCounts.allocatedBytes();
            own.poll(sink);
            allocatedBytes += ThreadCounts.allocatedBytes();
        }

        @Override
        public void close() {
            own.close();
        }
    }

    /** False once a call has shown that the world has no hash. Any thread, after the service has ended. */
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
     * Returns the hash of the world, for recordings; 0 if it has none. Whether it has one, only this call can find out, because it runs on
     * the world's thread.
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
