package dev.escapement.cluster.aeron;

import dev.escapement.physics.Divergence;
import dev.escapement.physics.RecordedRun;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.thread.FirstFailure;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The ticks that the cluster has committed, on their way from the thread that reads the log to the physics thread: a run that is replayed
 * while it goes on.
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>The physics thread gets each tick once, in order, with all that the log has before its cut, and waits for nothing.</li>
 *   <li>Events are in the order of their time, ties in that of the log. Those that happen while time stands still change what is held, and are
 *       in no tick.</li>
 *   <li>Bounded memory: the log's thread is refused when {@value #MOST_WAITING} ticks or {@value #RING_BYTES} bytes wait.</li>
 * </ol>
 *
 * <p><b>Threads.</b> The log's thread offers, the physics thread takes. A tick allocates nothing for events, and for commands what they have.
 */
final class CommittedTicks implements RecordedRun, RecordedRun.Replay {

    /** How many ticks may wait for the physics thread. */
    static final int MOST_WAITING = 16;

    static final int RING_BYTES = 1 << 21;

    private static final int BATCH_HEADER_BYTES = Long.BYTES + 2;

    private static final int BATCH = 1;
    private static final int TICK = 2;
    private static final int TICK_BYTES = 6 * Long.BYTES + 1;
    private static final int NONE = -1;

    /** Carries out what this node's own client asked for, and tells it. */
    interface Answers {

        /** The next command of this client has run. Physics thread. */
        void ran(@Nullable Answer<?> answer, @Nullable Throwable thrown);
    }

    private final TickRate rate;
    private final long leadNanos;
    private final long client;
    private final Answers answers;

    private final OneToOneRingBuffer ring = new OneToOneRingBuffer(
            new UnsafeBuffer(ByteBuffer.allocateDirect(RING_BYTES + RingBufferDescriptor.TRAILER_LENGTH)));

    // Acquired by the log's thread, released by the physics thread: orders nothing else, the ring has its own fences.
    private final AtomicLong taken = new AtomicLong();
    private long offered;

    // Volatile: written by the log's thread, read by any; nothing else is ordered by it.
    private volatile boolean isLeader;

    // Volatile: the log's thread stops waiting soon after; nothing else is ordered by it.
    private volatile boolean ended;
    private final FirstFailure failure = new FirstFailure();

    /** By tick. Written before {@link #lastRun} is released, and read after that was acquired. */
    private final AtomicLongArray hashes = new AtomicLongArray(HashVotes.TICKS);

    // Released by the physics thread, acquired by those of the log and of the client, for the hashes.
    private final AtomicLong lastRun = new AtomicLong();

    // Set once. Volatile: the physics thread that sees it sees all of it.
    private final AtomicReference<@Nullable Divergence> divergence = new AtomicReference<>();

    // The rest is the physics thread's.
    private @Nullable CommandHandlers handlers;
    private final RecordedInput input = new RecordedInput();
    private final StagedEvents staged = new StagedEvents();
    private final List<CommandData> commands = new ArrayList<>();
    private final List<Boolean> isOwn = new ArrayList<>();
    private boolean ready;
    private long number;
    private long fromNanos;
    private long dueNanos;
    private long localDueNanos;
    private TimeScale scale = TimeScale.ONE;
    private boolean standsStill;
    private TimeScale nextScale = TimeScale.ONE;
    private boolean nextStandsStill;
    private final MessageHandler reading = this::read;
    private long batchNanos;
    private long batchClient;
    private boolean batchPaused;
    private boolean batchRefused;

    /** By client: batches that waited for a leader arrive together, and their events stay in their order. */
    private final Long2LongHashMap lastNanos = new Long2LongHashMap(Long.MIN_VALUE);

    private final InputBatch.Visitor stage = new InputBatch.Visitor() {
        @Override
        public void event(InputKind kind, int code, float x, float y, int beforeNanos) {
            if (batchPaused) {
                input.level(kind, code, x);
                return;
            }
            long atNanos = Math.max(batchNanos - beforeNanos, lastNanos.get(batchClient));
            lastNanos.put(batchClient, atNanos);
            staged.add(atNanos, kind, code, x, y);
        }

        @Override
        public void command(CommandData command) {
            boolean own = batchClient == client;
            if (!batchRefused) {
                commands.add(command);
                isOwn.add(own);
            } else if (own) {
                answers.ran(
                        null,
                        new IllegalStateException("no more commands can wait for the next tick than "
                                + CommittedLog.MOST_COMMAND_BYTES + " bytes; offer fewer while time stands still"));
            }
        }
    };

    /** Of a node whose own client has that number. */
    CommittedTicks(TickRate rate, long leadNanos, long client, Answers answers) {
        this.rate = rate;
        this.leadNanos = leadNanos;
        this.client = client;
        this.answers = answers;
    }

    /**
     * Offers a batch; false if there is no room. While time stands still, its events change levels only, as in any service. Its commands may be
     * refused, because too many wait. The log's thread.
     */
    boolean offerBatch(long timestamp, boolean paused, boolean refused, DirectBuffer batch, int offset, int length) {
        int at = ring.tryClaim(BATCH, BATCH_HEADER_BYTES + length);
        if (at < 0) {
            return false;
        }
        ring.buffer().putLong(at, timestamp);
        ring.buffer().putByte(at + Long.BYTES, (byte) (paused ? 1 : 0));
        ring.buffer().putByte(at + Long.BYTES + 1, (byte) (refused ? 1 : 0));
        ring.buffer().putBytes(at + BATCH_HEADER_BYTES, batch, offset, length);
        ring.commit(at);
        return true;
    }

    /** Whether another tick may wait. The log's thread. */
    boolean hasRoom() {
        return offered - taken.getAcquire() < MOST_WAITING;
    }

    /** False if there is no room. The log's thread. */
    boolean offerTick(long tick, long from, long due, long localDue, TimeScale after, boolean standsStillAfter) {
        int at = hasRoom() ? ring.tryClaim(TICK, TICK_BYTES) : NONE;
        if (at < 0) {
            return false;
        }
        MutableDirectBuffer buffer = ring.buffer();
        buffer.putLong(at, tick);
        buffer.putLong(at + 8, from);
        buffer.putLong(at + 16, due);
        buffer.putLong(at + 24, localDue);
        buffer.putLong(at + 32, after.numerator());
        buffer.putLong(at + 40, after.denominator());
        buffer.putByte(at + 48, (byte) (standsStillAfter ? 1 : 0));
        ring.commit(at);
        offered++;
        return true;
    }

    /** Those of the simulation. Any thread, after {@link #replay}. */
    CommandHandlers handlers() {
        return Objects.requireNonNull(handlers, "no simulation runs yet");
    }

    /** The last tick that this node has run. Any thread. */
    long lastRun() {
        return lastRun.getAcquire();
    }

    /** The hash after one of the last {@value HashVotes#TICKS} ticks up to {@link #lastRun}. Any thread. */
    long hashAfter(long tick) {
        return hashes.getPlain((int) (tick % HashVotes.TICKS));
    }

    /** No further tick is taken: who waits for room is to stop. Any thread. */
    void end() {
        ended = true;
    }

    boolean hasEnded() {
        return ended;
    }

    /** The log cannot be followed any more: no further tick runs here. Any thread. */
    void fail(Throwable cause) {
        failure.add(cause);
    }

    /** Most other nodes have another state: no further tick runs here. Any thread. */
    void differs(long tick, long hash, long hashOfMost) {
        divergence.compareAndSet(
                null,
                new Divergence(tick, hashOfMost, hash, Divergence.UNKNOWN, Divergence.UNKNOWN, "", Divergence.UNKNOWN));
    }

    /** Whether this node leads. The log's thread. */
    void leads(boolean leads) {
        isLeader = leads;
    }

    /** Whether this node leads. Any thread. */
    boolean isLeader() {
        return isLeader;
    }

    @Override
    public TickRate rate() {
        return rate;
    }

    /** As many as come. */
    @Override
    public long ticks() {
        return Long.MAX_VALUE;
    }

    @Override
    public Replay replay(Simulation simulation) {
        handlers = simulation.commands();
        return this;
    }

    @Override
    public boolean isReady() {
        Divergence found = divergence.get();
        if (found != null) {
            throw new IllegalStateException(
                    "the state of this node differs from that of most others, so it ends: " + found);
        }
        failure.cause().ifPresent(cause -> {
            throw new IllegalStateException("this node cannot follow the cluster any more: " + cause, cause);
        });
        while (!ready && ring.read(reading, 1) > 0) {
            // until the next cut
        }
        return ready;
    }

    private void read(int type, MutableDirectBuffer buffer, int at, int length) {
        if (type == BATCH) {
            batchNanos = buffer.getLong(at);
            batchPaused = buffer.getByte(at + Long.BYTES) != 0;
            batchRefused = buffer.getByte(at + Long.BYTES + 1) != 0;
            batchClient = InputBatch.client(buffer, at + BATCH_HEADER_BYTES);
            InputBatch.read(buffer, at + BATCH_HEADER_BYTES, length - BATCH_HEADER_BYTES, stage);
            return;
        }
        ready = true;
        number = buffer.getLong(at);
        fromNanos = buffer.getLong(at + 8);
        dueNanos = buffer.getLong(at + 16);
        localDueNanos = buffer.getLong(at + 24);
        long numerator = buffer.getLong(at + 32);
        long denominator = buffer.getLong(at + 40);
        if (numerator != nextScale.numerator() || denominator != nextScale.denominator()) {
            nextScale = new TimeScale(numerator, denominator);
        }
        nextStandsStill = buffer.getByte(at + 48) != 0;
    }

    @Override
    public long dueNanos(long expectedNanos) {
        return localDueNanos;
    }

    @Override
    public void take(long tick, long localFromNanos, long dueHereNanos) {
        if (tick != number) {
            throw new IllegalStateException("tick " + tick + " is to run, but tick " + number + " was committed");
        }
        staged.moveInto(input, fromNanos, dueNanos, leadNanos);
        input.moveTo(localFromNanos, dueHereNanos);
        scale = nextScale;
        standsStill = nextStandsStill;
        ready = false;
        taken.setRelease(number);
    }

    @Override
    public InputFrame input() {
        return input.frame();
    }

    @Override
    public List<CommandData> commands() {
        return commands;
    }

    @Override
    public void runCommand(int command) {
        Answer<?> answer = null;
        Throwable thrown = null;
        try {
            answer = new Answer<>(number, handlers().read(commands.get(command)).run(number));
        } catch (Throwable failed) { // as in a queue of commands
            thrown = failed;
        }
        if (isOwn.get(command)) {
            answers.ran(answer, thrown);
        }
    }

    @Override
    public boolean localRan() {
        return false;
    }

    /** Depends on the machine: it is the same on all nodes. */
    @Override
    public double budgetUsed() {
        return 0;
    }

    /** The same on all nodes. */
    @Override
    public boolean eventsWanted() {
        return true;
    }

    @Override
    public TimeScale scale(TimeScale requested) {
        return scale;
    }

    @Override
    public boolean standsStill() {
        return standsStill;
    }

    @Override
    public void compare(long stateHash) {
        hashes.setPlain((int) (number % HashVotes.TICKS), stateHash);
        lastRun.setRelease(number);
        commands.clear();
        isOwn.clear();
    }

    @Override
    public boolean isAtEnd() {
        return false;
    }

    @Override
    public Optional<Divergence> divergence() {
        return Optional.ofNullable(divergence.get());
    }

    @Override
    public void close() {}
}
