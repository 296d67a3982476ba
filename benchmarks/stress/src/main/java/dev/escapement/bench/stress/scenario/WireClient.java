package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.render.FrameView;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.wire.ReceiverFigure;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.network.WireHost;
import dev.escapement.state.wire.network.WireWay;
import dev.escapement.state.wire.udp.ClientEndpoint;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A client's program: an endpoint, a receiver, frames and input; and the checks of all that it shows. */
final class WireClient extends WireHost {

    private static final ReceiverSettings SETTINGS = new ReceiverSettings(2, 256, 0.99, 250 * WireWay.MILLI);
    private static final long SECOND = 1000 * WireWay.MILLI;
    private static final int KEPT = 8;
    private static final long UNKNOWN = -1;

    /** One of a hundred ticks may come too late, another one while that fades; some are left out to become young again: so many. */
    private static final int FEW = 4;

    /** An error fades within 0.1 s, fastest in the middle, where it goes half as fast again as on average. */
    private static final double FADE_SECONDS = 0.1;

    private static final double FASTEST_FADE = 2;

    private final WireRun run;
    private final WireLink link;
    private final SplittableRandom random;
    private final WireInputs.Producer producer;
    private final SnapshotReceiver receiver = new SnapshotReceiver(SETTINGS, this);
    private final ClientEndpoint connection;

    private final long frameNanos;
    private final WireSteps steps;
    private @Nullable FrameView view;
    private @Nullable CheckingReader reader;
    private long shiftBefore;
    private long firstTick;
    private long firstFigure;
    private long seenFigure;
    private long seenTick = Long.MIN_VALUE;
    private long seenNanos;
    private long wholeTicks;
    private int predicted;
    private int predictedInARow;
    private final int mostPredicted;

    /** By local tick: which tick of the server it shows as it was; {@link #UNKNOWN} if it is predicted. */
    private final long[] truths = new long[KEPT];

    WireClient(WireRun run, WireLink link, SplittableRandom random, long clockNanos, double driftPpm) {
        super(run.time, clockNanos, driftPpm);
        this.run = run;
        this.link = link;
        this.random = random;
        producer = run.inputs.newProducer();
        frameNanos = SECOND / random.nextInt(50, 145);
        int fadeTicks = (int) Math.ceil(FADE_SECONDS / run.rate.dtSeconds());
        mostPredicted = 2 * fadeTicks + FEW;
        steps = new WireSteps(run.trial, FASTEST_FADE / (1 + fadeTicks));
        BiConsumer<ByteBuffer, SocketAddress> sink = (packet, to) -> link.up(packet);
        Random names = new Random(random.nextLong());
        connection = new ClientEndpoint(WireRun.SERVER, WireRun.WORLD, run.access, receiver, this, names, sink);
        endpoint = connection;
        time.after(frameNanos, () -> whenRunning(this::frame));
        time.after(frameNanos, () -> whenRunning(this::input));
    }

    @Override
    protected long run() {
        shiftBefore = receiver.tickShift();
        long nextNanos = super.run();
        if (reader == null && receiver.isReady()) {
            reader = new CheckingReader(run.trial, this::published, receiver.newReader(), unused -> true, this::look);
            view = FrameView.of(receiver.newReader());
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

    private void input() {
        time.after(random.nextLong(100 * WireWay.MILLI), () -> whenRunning(this::input));
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
            float number = producer.number();
            if (isLost || connection.inputs().offer(nanos, InputKind.APPLICATION, producer.code, number, 0)) {
                producer.accepted();
            }
        }
    }

    private void look(Window window) {
        if (seenTick == Long.MIN_VALUE) {
            firstTick = window.newestTick();
            firstFigure = receiver.figure(ReceiverFigure.TICKS);
            seenNanos = time.nanos;
            seenTick = window.newestTick() - 1; // by which shift those before it have their numbers is not known
        }
        long shift = receiver.tickShift();
        boolean isOne = window.newestTick() == seenTick + 1;
        for (int i = 0; i < window.size(); i++) {
            Snapshot shown = window.snapshot(i);
            if (shown.tick() > seenTick) {
                see(shown, isOne || shift == shiftBefore, shift);
                seenTick = shown.tick();
            }
        }
        checkFar(window.newest());
    }

    private void checkFar(Snapshot newest) {
        WirePaths world = run.world(newest);
        long then = truths[(int) (newest.tick() % KEPT)];
        if (world != null && then != UNKNOWN) {
            int far = world.far(then);
            long figure = receiver.figure(ReceiverFigure.CLAMPED_BODIES);
            long told = run.trial.isPlanted(Promise.FAR_TOLD) ? 1 - figure : figure;
            run.check(Promise.FAR_TOLD, told == far, () -> told + " bodies told of tick " + then + ", not " + far);
        }
    }

    /** Checks a tick that was just published; whether it is known by which of two shifts it has its number. */
    private void see(Snapshot shown, boolean isKnown, long shift) {
        time.trace(shown.checksum());
        int at = (int) (shown.tick() % KEPT);
        truths[at] = UNKNOWN;
        WirePaths world = run.world(shown);
        long then = shown.tick() - shift;
        if (world != null && isKnown && !shown.isPredicted()) {
            String differs = world.differs(shown, then);
            if (!differs.isEmpty() && shift != shiftBefore) {
                then = shown.tick() - shiftBefore;
                differs = world.differs(shown, then);
            }
            String what = differs;
            run.check(Promise.TRUE_OR_FLAGGED, what.isEmpty(), () -> "tick " + shown.tick() + ": " + what);
            truths[at] = what.isEmpty() ? then : UNKNOWN;
        }
        boolean isSure = world != null && isKnown && (shift == shiftBefore || truths[at] != UNKNOWN);
        steps.see(shown, isSure ? world : null, then);
        checkAgain(shown, world);
    }

    private void checkAgain(Snapshot shown, @Nullable WirePaths world) {
        if (run.isUndisturbed(this) && time.nanos - seenNanos > SECOND) {
            predicted += shown.isPredicted() ? 1 : 0;
            run.check(Promise.UNDISTURBED, predicted <= mostPredicted, () -> predicted + " ticks are predicted");
        }
        predictedInARow = shown.isPredicted() ? predictedInARow + 1 : 0;
        if (run.isEnding()) {
            wholeTicks += shown.isPredicted() ? 0 : 1;
            run.check(
                    Promise.WHOLE_AGAIN,
                    predictedInARow <= mostPredicted && run.isNewest(world),
                    () -> "tick " + shown.tick() + " is of another world, or predicted like " + predictedInARow
                            + " in a row, " + run.afterAll());
        }
    }

    private void frame() {
        time.after(frameNanos, () -> whenRunning(this::frame));
        FrameView to = view;
        long beforeNanos = to == null ? 0 : to.clock().shownSimNanos();
        if (to == null || !to.advance(nanoTime())) {
            return;
        }
        long shownNanos = to.clock().shownSimNanos();
        time.trace(shownNanos);
        run.check(Promise.FORWARDS, shownNanos >= beforeNanos, () -> "a frame before another");
        Snapshot shown = to.shown();
        WirePaths world = run.world(shown);
        long then = truths[(int) (to.shownTick() % KEPT)];
        if (world == null || then == UNKNOWN || truths[(int) ((to.shownTick() + 1) % KEPT)] != then + 1) {
            return;
        }
        for (int slot = 0; slot < shown.poses().slotCount(); slot++) {
            if (shown.bodies().exists(slot)) {
                PoseBlock drawn = to.interpolator().block(slot >> PoseBlock.SHIFT);
                double off = world.offBetween(shown, drawn, slot, then, to.alpha());
                run.check(Promise.TRUE_OR_FLAGGED, off <= world.bound(), () -> off + " m off in " + to);
            }
        }
        if (run.isEnding() && run.isNewest(world)) {
            run.checkYoung(then, link.wayNanos);
        }
    }

    /** All must have arrived, and shown as it is. */
    void checkEnd(long leastTicks) {
        run.check(
                Promise.WHOLE_AGAIN,
                connection.isConnected() && wholeTicks >= leastTicks,
                () -> wholeTicks + " ticks in the last half second, " + receiver.problem());
        producer.checkEnd();
    }
}
