package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.state.wire.network.VirtualTime;
import dev.escapement.state.wire.network.WireWay;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client's place: its program, its address, both ways of its network, and the faults that strike them. */
final class WireLink {

    private static final long MILLI = WireWay.MILLI;

    /** After a second of silence a server sends little: information 50 times a second at most, and twice that it lives. */
    private static final long SILENCE_NANOS = 1100 * MILLI;

    private static final int MOST_PER_SECOND = 60;
    private static final int FEW = 12;

    private final WireRun run;
    private final VirtualTime time;
    private final int index;

    private final SplittableRandom random;
    private final WireWay up;
    private final WireWay down;
    private @Nullable WireClient client;
    private long heardNanos;
    private int sentInSilence;

    /** How long a packet to the client takes at least, it is said. */
    long wayNanos;

    SocketAddress address;

    WireLink(WireRun run, int index, SplittableRandom random) {
        this.run = run;
        this.index = index;
        this.random = random;
        address = run.nextAddress();
        time = run.time;
        up = new WireWay(time, random.split());
        down = new WireWay(time, random.split());
    }

    void start() {
        address = run.nextAddress();
        client = new WireClient(run, this, run.random.split(), run.clock(), run.drift());
        client.wake();
    }

    boolean isStarted() {
        return client != null;
    }

    WireClient client() {
        return Objects.requireNonNull(client);
    }

    void heal() {
        up.heal();
        down.heal();
        wayNanos = down.leastNanos;
        if (run.trial.isPlanted(Promise.WHOLE_AGAIN)) {
            down.lost = 0.6; // what nothing makes up for
        }
        if (run.trial.isPlanted(Promise.YOUNG_AGAIN)) {
            down.leastNanos += 600 * MILLI; // a network that is slower than it says
        }
    }

    void down(ByteBuffer packet, SocketAddress to) {
        long silentNanos = time.nanos - heardNanos - SILENCE_NANOS;
        sentInSilence = silentNanos < 0 ? 0 : sentInSilence + 1;
        run.check(
                Promise.BOUNDED,
                silentNanos < 0 || sentInSilence <= FEW + MOST_PER_SECOND * silentNanos / (1000 * MILLI),
                () -> sentInSilence + " packets to client " + index + ", silent for " + silentNanos / MILLI
                        + " ms more");
        if (run.trial.isPlanted(Promise.UNDISTURBED) && run.anyIsStopped()) {
            down.holdFor(random.nextLong(100 * MILLI));
        }
        down.send(packet, arrived -> {
            if (client != null && to.equals(address)) {
                client.receive(arrived, WireRun.SERVER);
            }
        });
    }

    void up(ByteBuffer packet) {
        time.trace(packet.hashCode());
        SocketAddress from = address;
        up.send(packet, arrived -> arrive(arrived, from));
    }

    private void arrive(ByteBuffer packet, SocketAddress from) {
        if (!run.server.isGone()) {
            if (from.equals(address) && !run.trial.isPlanted(Promise.BOUNDED)) { // planted: as if another one answered
                run.server.whenRunning(() -> heardNanos = time.nanos);
            }
            run.server.receive(packet, from);
        }
    }

    /** Lets a fault strike that is over after a while. */
    void strike(WireFault.Act act, long nanos) {
        List<WireWay> both = List.of(up, down);
        switch (act) {
            case LOSS -> {
                double lost = random.nextDouble(0.3);
                int burst = 1 + random.nextInt(10);
                change(
                        both,
                        way -> {
                            way.lost = lost / burst;
                            way.burst = burst;
                        },
                        nanos);
            }
            case CUT -> some(both).forEach(way -> way.cutFor(nanos));
            case HOLD -> some(both).forEach(way -> way.holdFor(nanos));
            case JITTER -> {
                long jitterNanos = random.nextLong(200 * MILLI);
                change(some(both), way -> way.jitterNanos = jitterNanos, nanos);
            }
            case REPEAT -> change(both, way -> way.repeated = 0.5, nanos);
            case CHANGE -> {
                if (run.isSealed) {
                    change(both, way -> way.changed = 0.2, nanos);
                }
            }
            case ROUTE -> both.forEach(way -> way.leastNanos = random.nextLong(MILLI, 100 * MILLI));
            case MOVE -> address = run.nextAddress();
            case FLOOD -> ifRunning(() -> client().offer(random.nextInt(2000)));
            case STOP -> ifRunning(() -> client().stopFor(nanos));
            case STEP -> ifRunning(() -> client().setClock(nanos, 4 * run.drift()));
            case DRIFT -> ifRunning(() -> client().setClock(0, 4 * run.drift()));
            case CRASH, CLOSE -> {
                if (act == WireFault.Act.CLOSE) {
                    ifRunning(() -> client().sayGoodbye());
                }
                client().crash();
                time.after(nanos, () -> {
                    if (client().isGone()) {
                        start();
                    }
                });
            }
            default -> throw new IllegalArgumentException("no fault of a client: " + act);
        }
    }

    private void ifRunning(Runnable what) {
        if (!client().isGone()) {
            what.run();
        }
    }

    private List<WireWay> some(List<WireWay> both) {
        return random.nextBoolean() ? both : List.of(both.get(random.nextInt(2)));
    }

    private void change(List<WireWay> ways, Consumer<WireWay> change, long nanos) {
        for (WireWay way : ways) {
            long jitterNanos = way.jitterNanos;
            double lost = way.lost;
            int burst = way.burst;
            change.accept(way);
            time.after(nanos, () -> {
                way.jitterNanos = jitterNanos;
                way.lost = lost;
                way.burst = burst;
                way.changed = 0;
                way.repeated = 0;
            });
        }
    }
}
