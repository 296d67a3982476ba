package dev.escapement.state.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.wire.network.VirtualTime;
import dev.escapement.state.wire.network.WireWay;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A world, its sender, a network drawn from a seed, and a receiver, on virtual time in one thread. The rig compares the picture of the
 * receiver with the truth at every tick.
 */
final class RemoteRig {

    static final long MILLI = WireWay.MILLI;
    /** The error bound of a coordinate: the format's bound plus the rounding of floats. */
    static final double BOUND = 0.00105;

    static final WireFormat FORMAT = new WireFormat(0.001f, 0.005f);

    private static final long STEP = MILLI / 2;
    private static final long LOCAL_BEGINS = 77_000_000_000L;
    private static final SocketAddress RECEIVER = InetSocketAddress.createUnresolved("receiver", 1);

    private final SplittableRandom random;
    private final PoseLayout layout;
    private final WireFormat format;
    private final int bodies;
    private final double moving;
    double loss;
    double driftPpm;
    long leastDelayNanos = 20 * MILLI;
    long jitterNanos = 20 * MILLI;
    boolean cut;

    /** If this is n, only the packets of every n-th tick reach the receiver. */
    int oneTickArrivesOf = 1;

    /** The time until which the network holds everything back. */
    long heldUntilNanos;

    /** The time until which the receiver's process stands still; arriving packets wait for it. */
    long stalledUntilNanos;

    boolean worldStands;

    private boolean isDead;
    private boolean isWaiting;

    /** Whether senders that start from now on are replicas, which send the same world. */
    boolean isReplica;

    private @Nullable Interest interest;
    private InterestSettings settings = InterestSettings.DEFAULT;

    /** Receives each shown snapshot, and the true snapshot of that tick. */
    BiConsumer<Snapshot, Snapshot> watcher = (shown, then) -> {};

    private final boolean isBroadcast;

    WireWorld world;
    private SnapshotExchange exchange;
    private SnapshotSender sender;
    private @Nullable SenderSession session;
    private SnapshotSender.@Nullable Broadcast broadcast;
    final SnapshotReceiver receiver;
    private final VirtualTime time = new VirtualTime();
    private final WireWay toReceiver;
    private final WireWay toSender;
    private final ByteBuffer buffer = ByteBuffer.allocate(2048);

    int longestBytes;
    private @Nullable SnapshotReader reader;
    private int streamId = 40_000;

    long nanos = 1_000_000_000L;
    private long worldAheadNanos;
    private long worldTick;
    private long sendNanos;
    private long feedbackNanos;
    private long seenTick = Snapshot.NEVER_WRITTEN;
    private long lookedNanos;

    long bytes;

    // Observed values.
    int ticks;
    int predictedTicks;
    boolean isPredicted;
    double largestTrueError;
    double largestStep;
    int shownBodies;

    /** The largest number of bodies that a picture lacked, compared with the world at its tick, or now if the world never had that tick. */
    int maxMissing;

    /** The smallest increase of the count of inputs taken, from one shown tick to the next. */
    long leastTaken = Long.MAX_VALUE;

    RemoteRig(long seed, int bodies, double moving) {
        this(seed, bodies, moving, PoseLayout.PLAIN, FORMAT, false);
    }

    /** Creates a rig with a broadcast: receivers do not answer, and the network keeps the order, and loses all or nothing. */
    static RemoteRig broadcast(long seed, int bodies, double moving) {
        return new RemoteRig(seed, bodies, moving, PoseLayout.PLAIN, FORMAT, true);
    }

    static RemoteRig of(int bodies, double moving, @Nullable Interest interest, InterestSettings settings) {
        RemoteRig rig = new RemoteRig(1, bodies, moving);
        rig.interest = interest;
        rig.settings = settings;
        rig.restartServer();
        return rig;
    }

    RemoteRig(long seed, int bodies, double moving, PoseLayout layout, WireFormat format, boolean isBroadcast) {
        this.isBroadcast = isBroadcast;
        jitterNanos = isBroadcast ? 0 : jitterNanos;
        this.format = format;
        random = new SplittableRandom(seed);
        SplittableRandom ofNetwork = new SplittableRandom(~seed);
        toReceiver = new WireWay(time, ofNetwork.split());
        toSender = new WireWay(time, ofNetwork.split());
        this.layout = layout;
        this.bodies = bodies;
        this.moving = moving;
        receiver = new SnapshotReceiver(ReceiverSettings.DEFAULT, this::localNanos);
        world = new WireWorld(random.nextLong(), bodies, moving, layout);
        exchange = new SnapshotExchange(3, 1, bodies, WireWorld.RATE, layout, null);
        sender = new SnapshotSender(exchange.attach(), format, 0);
        restartServer();
    }

    /** Starts the server, or restarts it with another world, which counts ticks from 1. */
    void restartServer() {
        world = new WireWorld(random.nextLong(), bodies, moving, layout);
        worldTick = 0;
        worldAheadNanos = nanos - world.timeline.dueNanos(0);
        exchange = new SnapshotExchange(3, 1, bodies, WireWorld.RATE, layout, null);
        startSender();
    }

    private void startSender() {
        sender.close();
        sender = new SnapshotSender(exchange.attach(), format, streamId++).interests(address -> interest, settings);
        sender = isReplica ? sender.ofReplica() : sender;
        session = isBroadcast ? null : sender.newReceiver(RECEIVER);
        broadcast = isBroadcast ? sender.newBroadcast() : null;
        sendNanos = 0;
    }

    /**
     * Kills the sender. After the gap another sender continues the same world with its newest tick. With a wait, it runs the next tick
     * after the wait, and skips the lost time. Without a wait, its clock stands still during the gap.
     */
    void goOverToAReplica(long gapMillis, long waitMillis) {
        isDead = true;
        run(gapMillis);
        isDead = false;
        worldAheadNanos += waitMillis > 0 ? 0 : gapMillis * MILLI;
        startSender();
        isWaiting = true;
        run(waitMillis);
        isWaiting = false;
        if (waitMillis > 0) {
            world.timeline.skipUntil(worldTick, worldNanos());
        }
    }

    /** Sets the world's clock ahead, as a sleep of its machine would. The ticks that became due meanwhile are skipped. */
    void setWorldClock(long aheadNanos) {
        worldAheadNanos -= aheadNanos;
        if (!world.timeline.isPaused()) {
            world.timeline.skipUntil(worldTick, worldNanos());
        }
    }

    long localNanos() {
        return LOCAL_BEGINS + nanos + (long) (nanos * driftPpm / 1e6);
    }

    private long worldNanos() {
        return nanos - worldAheadNanos;
    }

    void run(long millis) {
        long end = nanos + millis * MILLI;
        while (nanos < end) {
            nanos += STEP;
            time.runUntil(nanos);
            if (!isDead) {
                simulate();
                send();
            }
            receive();
        }
    }

    private void simulate() {
        if (isWaiting) {
            return;
        }
        if (worldStands) {
            if (!world.timeline.isPaused()) {
                world.timeline.pause(worldTick);
                exchange.writer().publishTimeline(world.timeline);
            }
            return;
        }
        if (world.timeline.isPaused()) {
            world.timeline.resume(worldNanos(), TimeScale.ONE);
            exchange.writer().publishTimeline(world.timeline);
        }
        if (worldNanos() >= world.timeline.dueNanos(worldTick + 1) + MILLI) {
            publishTick();
        }
    }

    /** Changes bodies while time stands still: the world is published without a step. */
    void changeWhileStanding() {
        world.timeline.standAtNextTick(worldNanos());
        publishTick();
    }

    private void publishTick() {
        worldTick++;
        world.tickInto(exchange.writer().nextSnapshot());
        exchange.writer().publish(world.timeline, worldNanos());
    }

    private void send() {
        if (worldNanos() < sendNanos) {
            return;
        }
        sendNanos = sender.run(worldNanos());
        while (session != null
                ? session.write(buffer.clear(), worldNanos())
                : Objects.requireNonNull(broadcast).write(buffer.clear(), worldNanos())) {
            bytes += buffer.position();
            longestBytes = Math.max(longestBytes, buffer.position());
            if (worldTick % oneTickArrivesOf == 0) {
                transmit(toReceiver, this::arrive);
            }
        }
    }

    private void transmit(WireWay way, Consumer<ByteBuffer> to) {
        way.leastNanos = leastDelayNanos;
        way.jitterNanos = jitterNanos;
        way.lost = cut ? 1 : loss;
        way.repeated = isBroadcast ? 0 : 0.02;
        way.holdFor(heldUntilNanos - nanos);
        way.send(buffer.flip(), to);
    }

    private void arrive(ByteBuffer packet) {
        if (time.nanos < stalledUntilNanos) {
            time.at(stalledUntilNanos, () -> arrive(packet));
        } else {
            receiver.packet(packet, localNanos());
        }
    }

    private void feedback(ByteBuffer packet) {
        if (session != null) {
            session.feedback(packet, worldNanos());
        }
    }

    private void receive() {
        if (nanos < stalledUntilNanos) {
            return;
        }
        receiver.run(localNanos());
        lookForNew();
        lookedNanos = nanos;
        if (nanos >= feedbackNanos) {
            feedbackNanos = nanos + 10 * MILLI;
            receiver.writeFeedback(buffer.clear());
            transmit(toSender, this::feedback);
        }
    }

    private void lookForNew() {
        if (reader == null && receiver.isReady()) {
            reader = receiver.newReader();
        }
        if (reader == null || !reader.acquire()) {
            return;
        }
        Window window = reader.window();
        for (int i = 0; i < window.size(); i++) {
            Snapshot shown = window.snapshot(i);
            if (shown.tick() != window.oldestTick() + i) {
                throw new AssertionError("tick " + shown.tick() + " in " + window);
            }
            if (shown.tick() > seenTick) {
                boolean looksOften = nanos - lookedNanos <= 2 * STEP;
                if (looksOften && seenTick != Snapshot.NEVER_WRITTEN && shown.tick() != seenTick + 1) {
                    throw new AssertionError("tick " + shown.tick() + " after " + seenTick);
                }
                seenTick = shown.tick();
                check(shown, i == 0 ? null : window.snapshot(i - 1));
            }
        }
    }

    private void check(Snapshot shown, @Nullable Snapshot before) {
        ticks++;
        isPredicted = shown.isPredicted();
        predictedTicks += shown.isPredicted() ? 1 : 0;
        shownBodies = shown.bodies().count();
        Snapshot truth = world.at(shown.tick() - receiver.tickShift());
        maxMissing = Math.max(
                maxMissing, (truth == null ? world.now : truth).bodies().count() - shownBodies);
        if (before != null) {
            leastTaken = Math.min(leastTaken, shown.inputsTaken() - before.inputsTaken());
        }
        if (truth != null) {
            watcher.accept(shown, truth);
        }
        for (int slot = 0; slot < shown.poses().slotCount(); slot++) {
            if (!shown.bodies().exists(slot)) {
                continue;
            }
            long id = shown.bodies().id(slot);
            if (before != null
                    && before.bodies().exists(id)
                    && before.bodies().teleports(slot) == shown.bodies().teleports(slot)) {
                largestStep = Math.max(largestStep, Math.abs(y(shown, slot) - y(before, slot)));
                largestStep = Math.max(largestStep, Math.abs(x(shown, slot) - x(before, slot)));
            }
            if (!shown.isPredicted() && truth != null && truth.bodies().exists(id)) {
                largestTrueError = Math.max(largestTrueError, Math.abs(y(shown, slot) - y(truth, slot)));
            }
        }
    }

    private static double x(Snapshot of, int slot) {
        return of.originX() + of.poses().blockOf(slot).px[slot & PoseBlock.MASK];
    }

    private static double y(Snapshot of, int slot) {
        return of.poses().blockOf(slot).py[slot & PoseBlock.MASK];
    }

    /** Returns by how many ticks the picture lags behind the world. */
    long ticksBehind() {
        return worldTick - (seenTick - receiver.tickShift()); // in the sender's tick numbers
    }

    /** Requires a complete, true picture that is at most this many ticks late. */
    void requireWell(int maxTicksBehind) {
        assertThat(ticksBehind()).isBetween(0L, (long) maxTicksBehind);
        assertThat(shownBodies).isCloseTo(world.now.bodies().count(), within(5 + bodies / 100));
        assertThat(largestTrueError).isBetween(0.0, BOUND);
    }

    long filledTicks() {
        return receiver.metric(ReceiverMetric.FILLED_TICKS);
    }
}
