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

/** A client's program: an endpoint, a receiver and input; it checks every tick that it shows. */
final class WireClient extends WireHost {

    private static final ReceiverSettings SETTINGS = new ReceiverSettings(2, 256, 0.99, 250 * WireWay.MILLI);

    /** One in a hundred ticks may be late, another one while that fades; at most this many are left out to reduce the playout delay. */
    private static final int FEW = 4;

    /** An error fades within this time. */
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
            seenTick = window.newestTick() - 1; // the shift of older numbers is not known
        }
        boolean isKnown = window.newestTick() == seenTick + 1 || receiver.tickShift() == shiftBefore;
        for (int i = 0; i < window.size(); i++) {
            if (window.snapshot(i).tick() > seenTick) {
                see(window.snapshot(i), isKnown);
                seenTick = window.snapshot(i).tick();
            }
        }
    }

    /** Checks a tick that was just published; {@code isShiftKnown}: which of two shifts its number has. */
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

    /** Offers {@code count} events. */
    void offer(int events) {
        for (int i = 0; i < events; i++) {
            producer.offer(nanoTime(), connection.inputs());
        }
    }

    /** Ends the program; events that it has not sent are lost. */
    void end() {
        if (!isGone()) {
            crash();
            run.crashed(producer);
        }
    }

    /** Checks that everything is shown exactly. */
    void checkEnd(long leastTicks) {
        run.check(
                Promise.WHOLE_AGAIN,
                connection.isConnected() && wholeTicks >= leastTicks,
                () -> wholeTicks + " ticks in the last half second, " + receiver.problem());
    }
}
