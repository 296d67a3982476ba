package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.wire.ReceiverFigure;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.network.WireHost;
import dev.escapement.state.wire.network.WireWay;
import dev.escapement.state.wire.udp.ClientEndpoint;
import java.util.Random;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A client's program: an endpoint, a receiver and input; and the checks of all that it shows, and of what arrives of its input. */
final class WireClient extends WireHost {

    private static final ReceiverSettings SETTINGS = new ReceiverSettings(2, 256, 0.99, 250 * WireWay.MILLI);

    /** One of a hundred ticks may come too late, another one while that fades; some are left out to become young again: so many. */
    private static final int FEW = 4;

    /** An error fades within so long. */
    private static final double FADE_SECONDS = 0.1;

    private final WireRun run;
    private final SplittableRandom random;
    private final int code;
    private final SnapshotReceiver receiver = new SnapshotReceiver(SETTINGS, this);
    private final ClientEndpoint connection;
    private final int mostPredicted;
    private @Nullable CheckingReader reader;
    private long shiftBefore;
    private long firstTick;
    private long firstFigure;
    private long seenFigure;
    private long seenTick = Long.MIN_VALUE;
    private long wholeTicks;
    private int predictedInARow;

    // Input: how many events were accepted, which number is to arrive next, and at which server.
    private long accepted;
    private long next = 1;
    private int server;

    WireClient(WireRun run, WireLink link, SplittableRandom random) {
        super(run.time, run.clock(), run.drift());
        this.run = run;
        this.random = random;
        code = run.add(this);
        server = run.servers();
        mostPredicted = 2 * (int) Math.ceil(FADE_SECONDS / run.rate.dtSeconds()) + FEW;
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
            reader = new CheckingReader(run.trial, this::published, receiver.newReader(), unused -> true, this::look);
        }
        long ticks = receiver.figure(ReceiverFigure.TICKS);
        if (reader != null && ticks != seenFigure) {
            seenFigure = ticks;
            reader.take();
        }
        return nextNanos;
    }

    private long published() {
        return seenTick == Long.MIN_VALUE ? 0 : firstTick + receiver.figure(ReceiverFigure.TICKS) - firstFigure;
    }

    private void look(Window window) {
        if (seenTick == Long.MIN_VALUE) {
            firstTick = window.newestTick();
            firstFigure = receiver.figure(ReceiverFigure.TICKS);
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
        WireWorld world = run.world(shown);
        if (world != null && isKnown && !shown.isPredicted()) {
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
                    predictedInARow <= mostPredicted && world == run.server.world,
                    () -> "tick " + shown.tick() + " is of another world, or the last of " + predictedInARow
                            + " that are predicted");
        }
    }

    private void input() {
        time.after(random.nextLong(1, 100 * WireWay.MILLI), () -> whenRunning(this::input));
        if (!run.isEnding()) {
            offer(1 + random.nextInt(3));
        }
    }

    /** Offers so many events. */
    void offer(int events) {
        for (int i = 0; i < events; i++) {
            // Planted: a clock that goes back; an event that is lost
            long backNanos = run.trial.isPlanted(Promise.INPUT_ORDER) ? random.nextLong(20 * WireWay.MILLI) : 0;
            boolean isLost = run.trial.isPlanted(Promise.INPUT_SUMS);
            long nanos = nanoTime() - backNanos;
            if (isLost || connection.inputs().offer(nanos, InputKind.APPLICATION, code, (float) (accepted + 1), 0)) {
                accepted++;
            }
        }
    }

    /** An event has arrived at a tick of a server; those before it may have taken some more with them. */
    void arrive(long number, int servers, long mostLost) {
        if (server != servers) { // an earlier one may have taken more, or less than was acknowledged
            server = servers;
            checkInput(Promise.INPUT_SUMS, number <= next + mostLost, number);
            next = number + 1;
        } else {
            checkInput(Promise.INPUT_ONCE, number >= next, number);
            checkInput(Promise.INPUT_ORDER, number <= next, number);
            next = Math.max(next, number + 1);
        }
    }

    private void checkInput(Promise promise, boolean held, long number) {
        run.check(promise, held, () -> "event " + number + " of client " + code + " came when " + next + " was next");
    }

    /** All must have arrived, and shown as it is. */
    void checkEnd(long leastTicks) {
        run.check(
                Promise.WHOLE_AGAIN,
                connection.isConnected() && wholeTicks >= leastTicks,
                () -> wholeTicks + " ticks in the last half second, " + receiver.problem());
        checkInput(Promise.INPUT_SUMS, next == accepted + 1, accepted);
    }
}
