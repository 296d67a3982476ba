package dev.escapement.state.wire;

import dev.escapement.state.capture.Capture;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import dev.escapement.state.wire.network.VirtualTime;
import dev.escapement.state.wire.network.WireWay;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A world whose bodies stand in a row and jump up and down as nobody can predict, a sender, a network drawn from a seed, and one receiver with
 * an interest, on virtual time in one thread. A body that is shown beside its place in the row was on the way from where it never was.
 */
final class InterestRig {

    static final TickRate RATE = TickRate.hertz(60);
    static final long MILLI = WireWay.MILLI;
    private static final long STEP = MILLI / 2;
    private static final double STEP_METRES = 0.05;
    private static final double ROUNDED_METRES = 0.002;
    private static final int KEPT = 256;

    private final SplittableRandom random;
    private final Timeline timeline = new Timeline(RATE);
    private final Capture capture;
    private final SnapshotExchange exchange;
    private final SnapshotSender sender;
    private final SnapshotSender.Receiver session;
    private final VirtualTime time = new VirtualTime();
    final WireWay down;
    final WireWay up;
    private final SnapshotReceiver receiver;
    private @Nullable SnapshotReader reader;

    /** Reads the same packets as the receiver does. */
    final SnapshotDecoder decoder = new SnapshotDecoder(100_000);

    private final PacketReader packets = new PacketReader(decoder);
    private final WritableSnapshot known = new WritableSnapshot(0, PoseLayout.PLAIN);
    private final ByteBuffer buffer = ByteBuffer.allocate(2048);

    private final long[] ids;
    private final boolean[] replaced;
    private final float[][] heights = new float[KEPT][];
    private @Nullable Snapshot before;
    long worldTick;
    private long sendNanos;
    private long feedbackNanos;
    private long readTick;
    private long shownTick;

    /** By id: the place of each body that there ever was. Its user data is the same number, unless all are alike. */
    private final Map<Long, Integer> places = new TreeMap<>();

    boolean allAlike;

    // What was seen.
    long bytes;
    /** By id, of those that are known: the last tick of which it is known how it was. */
    final Map<Long, Long> trueTicks = new TreeMap<>();

    /** By id: the place that it has, of those that the last picture shows, and of those that any did. */
    final Map<Long, Integer> shown = new TreeMap<>();

    final Set<Long> everShown = new TreeSet<>();
    long greatestAgeNanos;
    double farthestAside;
    int appeared;
    int shownTicks;
    int predictedTicks;

    InterestRig(long seed, int bodies, @Nullable Interest interest, InterestSettings settings) {
        random = new SplittableRandom(seed);
        ids = new long[bodies];
        replaced = new boolean[bodies];
        Arrays.setAll(heights, i -> new float[bodies]);
        capture = new Capture(this::capture, PoseLayout.PLAIN, RATE, bodies);
        exchange = new SnapshotExchange(3, 1, bodies, RATE, PoseLayout.PLAIN, null);
        sender = new SnapshotSender(exchange.attach(), WireFormat.rounded(0.001f, 0.005f), 7);
        session = sender.interests(address -> interest, settings)
                .newReceiver(InetSocketAddress.createUnresolved("player", 1));
        receiver = new SnapshotReceiver(ReceiverSettings.DEFAULT, () -> time.nanos);
        down = way(random.split());
        up = way(random.split());
        timeline.start(0);
    }

    private WireWay way(SplittableRandom own) {
        WireWay way = new WireWay(time, own);
        way.leastNanos = 20 * MILLI;
        way.jitterNanos = 0;
        way.lost = 0;
        way.burst = 1;
        way.repeated = 0;
        return way;
    }

    private void capture(PoseWriter poses) {
        float[] now = heights[(int) worldTick % KEPT];
        float[] then = heights[(int) (worldTick - 1) % KEPT];
        for (int i = 0; i < ids.length; i++) {
            if (replaced[i]) {
                poses.despawn(ids[i]);
            }
        }
        for (int i = ids.length - 1; i >= 0; i--) { // so that the slots of those that went change their places
            if (worldTick == 1 || replaced[i]) {
                ids[i] = poses.spawn(allAlike ? 0 : i);
                places.put(ids[i], i);
            }
            replaced[i] = false;
            now[i] = then[i] + (float) random.nextDouble(-STEP_METRES, STEP_METRES);
            poses.set(poses.slotOf(ids[i]), i, now[i], 0, 0, 0, 0, 1);
        }
    }

    /** The bodies of some places go, and others come to them, in the slots of one another. */
    void replace(int... places) {
        for (int place : places) {
            replaced[place] = true;
        }
    }

    void pause() {
        timeline.pause(worldTick);
        exchange.writer().publishAgain(timeline);
    }

    long id(int place) {
        return ids[place];
    }

    void run(long millis) {
        long end = time.nanos + millis * MILLI;
        while (time.nanos < end) {
            time.runUntil(time.nanos + STEP);
            if (!timeline.isPaused() && time.nanos >= timeline.dueNanos(worldTick + 1)) {
                tick();
            }
            if (time.nanos >= sendNanos) {
                sendNanos = sender.run(time.nanos);
                while (session.write(buffer.clear(), time.nanos)) {
                    bytes += buffer.position();
                    down.send(buffer.flip(), this::arrive);
                }
            }
            receiver.run(time.nanos);
            look();
            if (time.nanos >= feedbackNanos) {
                feedbackNanos = time.nanos + 10 * MILLI;
                receiver.writeFeedback(buffer.clear());
                up.send(buffer.flip(), packet -> session.feedback(packet, time.nanos));
            }
        }
    }

    private void tick() {
        worldTick++;
        WritableSnapshot next = exchange.writer().nextSnapshot();
        next.startTick(worldTick, timeline.dueNanos(worldTick));
        try {
            capture.captureInto(next, before);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        before = next;
        exchange.writer().publish(timeline, time.nanos);
    }

    private void arrive(ByteBuffer packet) {
        receiver.packet(packet.duplicate(), time.nanos);
        packets.take(packet);
        while (packets.next()) {
            if (decoder.packetTick() >= readTick) {
                readTick = decoder.packetTick();
                read();
            }
        }
    }

    /** What is known of the newest tick that has arrived. */
    private void read() {
        decoder.read(readTick, known);
        if (!decoder.isWhole(readTick)) {
            return;
        }
        Set<Long> now = new TreeSet<>();
        float[] truth = heights[(int) readTick % KEPT];
        for (int slot = 0; slot < known.poses().slotCount(); slot++) {
            if (known.bodies().exists(slot)) {
                long id = known.bodies().id(slot);
                int place = place(id);
                now.add(id);
                farthestAside = Math.max(
                        farthestAside, Math.abs(known.poses().blockOf(slot).px[slot & PoseBlock.MASK] - place));
                float y = known.poses().blockOf(slot).py[slot & PoseBlock.MASK];
                if (Math.abs(y - truth[place]) < ROUNDED_METRES && readTick > trueTicks.getOrDefault(id, 0L)) {
                    trueTicks.put(id, readTick);
                }
            }
        }
        trueTicks.keySet().retainAll(now);
    }

    private void look() {
        for (Map.Entry<Long, Long> body : trueTicks.entrySet()) {
            long ageNanos = time.nanos - timeline.dueNanos(body.getValue()) - down.leastNanos;
            greatestAgeNanos = Math.max(greatestAgeNanos, ageNanos);
        }
        if (reader == null && receiver.isReady()) {
            reader = receiver.newReader();
        }
        if (reader == null || !reader.acquire()) {
            return;
        }
        Window window = reader.window();
        for (int i = 0; i < window.size(); i++) {
            if (window.snapshot(i).tick() > shownTick) {
                shownTick = window.snapshot(i).tick();
                show(window.snapshot(i));
            }
        }
    }

    private void show(Snapshot snapshot) {
        shownTicks++;
        predictedTicks += snapshot.isPredicted() ? 1 : 0;
        Map<Long, Integer> now = new TreeMap<>();
        for (int slot = 0; slot < snapshot.poses().slotCount(); slot++) {
            if (snapshot.bodies().exists(slot)) {
                int place = place(snapshot.bodies().id(slot));
                now.put(snapshot.bodies().id(slot), place);
                double x = snapshot.poses().blockOf(slot).px[slot & PoseBlock.MASK];
                farthestAside = Math.max(farthestAside, Math.abs(x - place));
            }
        }
        appeared +=
                (int) now.keySet().stream().filter(id -> !shown.containsKey(id)).count();
        shown.clear();
        shown.putAll(now);
        everShown.addAll(now.keySet());
    }

    private int place(long id) {
        return Objects.requireNonNull(places.get(id));
    }

    long refused() {
        return decoder.refused() + receiver.figure(ReceiverFigure.REFUSED_PACKETS);
    }
}
