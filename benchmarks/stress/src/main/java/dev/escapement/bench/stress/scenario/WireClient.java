package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.network.WireHost;
import dev.escapement.state.wire.network.WireWay;
import dev.escapement.state.wire.udp.ClientEndpoint;
import java.util.Random;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A client's program: an endpoint, a receiver and input; and the checks of all that it shows. */
final class WireClient extends WireHost {

    private static final ReceiverSettings SETTINGS = new ReceiverSettings(2, 256, 0.99, 250 * WireWay.MILLI);

    /** One of a hundred ticks may come too late, another one while that fades; some are left out to become young again: this many. */
    private static final int FEW = 4;

    /** An error fades within so long. */
    private static final double FADE_SECONDS = 0.1;

    private final WireRun run;
    private final SplittableRandom random;
    private final NumberedProducer producer;
    private final SnapshotReceiver receiver = new SnapshotReceiver(SETTINGS, this);
    private final ClientEndpoint connection;
    private final int maxPredicted;
    private @Nullable SnapshotReader reader;
    private long shiftBefore;
    private long seenTick = Long.MIN_VALUE;
    private long wholeTicks;
    private int predictedInARow;

    WireClient(WireRun run, WireLink link, SplittableRandom random) {
        super(run.time, run.clock(), run.drift());
        this.run = run;
        this.random = random;
        producer = run.newProducer();
        maxPredicted = 2 * (int) Math.ceil(FADE_SECONDS / run.rate.dtSeconds()) + FEW;
        Random names = new Random(random.nextLong());
        connection = new ClientEndpoint(
                WireRun.SERVER, WireRun.WORLD, run.access, receiver, this, names, (packet, to) -> link.up(packet));
        endpoint = connection;
        input();
    }

    @Override
    protected long run() {
        shiftBefore = receiver.tickShift();
        long nextNanos = super.run();
        if (reader == null && receiver.isReady()) {
            reader = receiver.newReader();
        }
        if (reader != null && reader.acquire()) {
            look(reader.window());
        }
        return nextNanos;
    }

    private void look(Window window) {
        if (seenTick == Long.MIN_VALUE) {
            seenTick = window.newestTick() - 1; // by which shift those before it have their numbers is not known
        }
        boolean isKnown = window.newestTick() == seenTick + 1 || receiver.tickShift() == shiftBefore;
        for (int i = 0; i < window.size(); i++) {
            if (window.snapshot(i).tick() > seenTick) {
                see(window.snapshot(i), isKnown);
                seenTick = window.snapshot(i).tick();
            }
        }
    }

    /** Checks a tick that was just published; whether it is known by which of two shifts it has its number. */
    private void see(Snapshot shown, boolean isKnown) {
        time.trace(shown.checksum());
        ServedWorld world = run.server.world;
        if (isKnown && !shown.isPredicted()) {
            String now = world.differs(shown, shown.tick() - receiver.tickShift());
            boolean isTrue = now.isEmpty()
                    || world.differs(shown, shown.tick() - shiftBefore).isEmpty();
            run.check(Promise.TRUE_OR_FLAGGED, isTrue, () -> "tick " + shown.tick() + ": " + now);
        }
        predictedInARow = shown.isPredicted() ? predictedInARow + 1 : 0;
        if (run.isEnding()) {
            wholeTicks += shown.isPredicted() ? 0 : 1;
            run.check(
                    Promise.WHOLE_AGAIN,
                    predictedInARow <= maxPredicted,
                    () -> "tick " + shown.tick() + " is the last of " + predictedInARow + " that are predicted");
        }
    }

    private void input() {
        time.after(random.nextLong(1, 100 * WireWay.MILLI), () -> whenRunning(this::input));
        if (!run.isEnding()) {
            offer(1 + random.nextInt(3));
        }
    }

    /** Offers this many events. */
    void offer(int events) {
        for (int i = 0; i < events; i++) {
            producer.offer(nanoTime(), connection.inputs());
        }
    }

    /** Nothing of it happens any more, and what it has not sent is lost. */
    void end() {
        if (!isGone()) {
            crash();
            run.crashed(producer);
        }
    }

    /** All must be shown as it is. */
    void checkEnd(long leastTicks) {
        run.check(
                Promise.WHOLE_AGAIN,
                connection.isConnected() && wholeTicks >= leastTicks,
                () -> wholeTicks + " ticks in the last half second, " + receiver.problem());
    }
}
