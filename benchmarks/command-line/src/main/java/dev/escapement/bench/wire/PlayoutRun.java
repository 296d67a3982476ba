package dev.escapement.bench.wire;

import dev.escapement.bench.demo.OrbitSimulation;
import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Metronome;
import dev.escapement.bench.wire.Playout.Network;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Tick;
import dev.escapement.physics.world.ForwardingSimulation;
import dev.escapement.render.FrameView;
import dev.escapement.render.clock.AnimationError;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import dev.escapement.state.wire.ReceiverFigure;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import dev.escapement.state.wire.network.VirtualTime;
import dev.escapement.state.wire.network.WireHost;
import dev.escapement.state.wire.network.WireWay;
import dev.escapement.state.wire.udp.Access;
import dev.escapement.state.wire.udp.ClientEndpoint;
import dev.escapement.state.wire.udp.Limits;
import dev.escapement.state.wire.udp.ServerEndpoint;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A served world and those who watch it, on virtual time in one thread. The server's clock shows the true time, those of the viewers drift.
 * What each frame shows is read off its picture.
 */
final class PlayoutRun {

    private static final long SECOND_NANOS = 1000 * WireWay.MILLI;
    private static final long FRAME_NANOS = SECOND_NANOS / 144;
    private static final TickRate RATE = TickRate.hertz(100);
    private static final int BODIES = 100;

    /** So large that its place tells the time within 3 us although it is rounded. */
    private static final Metronome METRONOME = new Metronome(1000);

    private static final WireFormat FORMAT = WireFormat.rounded(0.001f, 0.003f);
    private static final String WORLD = "measured";
    private static final Access ACCESS = Access.thisMachine();
    private static final int FIRST_PORT = 30_000;
    private static final SocketAddress SERVER = address(-1);
    private static final int MOST_BURST = 5;
    private static final long BURSTS_NANOS = 100 * WireWay.MILLI;
    private static final double MOST_PPM = 50;
    private static final long MOST_DELAY_NANOS = 250 * WireWay.MILLI;

    private static final long SEED = 25;
    private static final double[] QUANTILES = {0.5, 0.75, 0.9, 0.95, 0.99, 0.999};
    private static final int SECONDS = 60;
    private static final int SETTLE_SECONDS = 5;
    private static final int STOP_SECONDS = 3;
    private static final int VIEWERS = 8;

    private final VirtualTime time = new VirtualTime();
    final List<Viewer> viewers;
    private final Network network;
    private final SplittableRandom random;
    private final Server server;

    /** What is measured, one after the other. */
    static List<Supplier<List<Playout>>> parts() {
        return List.of(() -> of(Network.INTERNET, SECONDS, QUANTILES), () -> oneStops(SETTLE_SECONDS));
    }

    /** A viewer for each quantile. */
    static List<Playout> of(Network network, int seconds, double... quantiles) {
        PlayoutRun run = new PlayoutRun(network, SEED, quantiles);
        run.runFor(SETTLE_SECONDS);
        List<Shown> shown =
                run.viewers.stream().map(viewer -> run.show(List.of(viewer))).toList();
        run.runFor(seconds);
        return IntStream.range(0, quantiles.length)
                .mapToObj(i -> shown.get(i).row(Row.ACKNOWLEDGED, quantiles[i], false))
                .toList();
    }

    /** Eight viewers: what seven are shown while one is stopped, and in the same seconds if it is not; and so many seconds before and after. */
    static List<Playout> oneStops(int seconds) {
        List<Playout> rows = new ArrayList<>();
        double[] quantiles = new double[VIEWERS];
        Arrays.fill(quantiles, 0.99);
        for (boolean stops : new boolean[] {false, true}) {
            PlayoutRun run = new PlayoutRun(Network.INTERNET, SEED, quantiles);
            List<Viewer> others = run.viewers.subList(1, VIEWERS);
            run.runFor(SETTLE_SECONDS);
            Shown before = run.show(others);
            run.runFor(seconds);
            Shown meanwhile = run.show(others);
            if (stops) {
                run.viewers.get(0).stopFor(STOP_SECONDS * SECOND_NANOS);
            }
            run.runFor(STOP_SECONDS);
            rows.add(meanwhile.row(stops ? Playout.MEANWHILE : Playout.CALM, 0.99, false));
            if (stops) {
                Shown after = run.show(others);
                Shown stopped = run.show(run.viewers.subList(0, 1));
                run.runFor(seconds);
                rows.add(0, before.row("7 others, before", 0.99, false));
                rows.add(after.row("7 others, after", 0.99, false));
                rows.add(stopped.row(Playout.STOPPED, 0.99, true));
            }
        }
        return rows;
    }

    /** A world and a viewer for each quantile. */
    PlayoutRun(Network network, long seed, double... quantiles) {
        this.network = network;
        random = new SplittableRandom(seed);
        server = new Server();
        viewers = IntStream.range(0, quantiles.length)
                .mapToObj(i -> new Viewer(quantiles[i], address(i)))
                .toList();
        server.wake();
        viewers.forEach(viewer -> time.after(random.nextLong(SECOND_NANOS / 10), viewer::start));
    }

    private static SocketAddress address(int viewer) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), FIRST_PORT + viewer);
    }

    void runFor(int seconds) {
        time.runUntil(time.nanos + seconds * SECOND_NANOS);
    }

    /** From now on counts what these are shown. */
    Shown show(List<Viewer> to) {
        Shown shown = new Shown(time.nanos);
        to.forEach(viewer -> viewer.shown = shown);
        return shown;
    }

    /** Bodies on circles, and one that tells the time: the tick along z, and more exactly, but to and fro, along x. */
    private static final class World extends ForwardingSimulation {

        private long tick;

        World() {
            super(new OrbitSimulation(BODIES));
        }

        @Override
        public void step(Tick next) throws Exception {
            tick = next.number();
            super.step(next);
        }

        @Override
        public void capture(PoseWriter poses) throws Exception {
            super.capture(poses);
            poses.bodyCount(BODIES + 1);
            poses.set(BODIES, METRONOME.x(tick), 0, (float) tick, 0, 0, 0, 1);
        }
    }

    /** A service that ticks when it is due, and what sends its world. */
    private final class Server extends WireHost {

        private final InlineDriver driver =
                PhysicsService.builder(new World()).rate(RATE).maxReaders(2).inline(this);
        private final SnapshotReader truth = driver.newReader();

        Server() {
            super(PlayoutRun.this.time, 0, 0);
            SnapshotSender sender = new SnapshotSender(driver.newReader(), FORMAT, 1);
            BiConsumer<ByteBuffer, SocketAddress> sink = (packet, to) -> viewers.stream()
                    .filter(viewer -> to.equals(viewer.address))
                    .forEach(viewer -> viewer.fromServer(packet));
            endpoint = new ServerEndpoint(sender, null, WORLD, ACCESS, Limits.DEFAULT, new Random(1), sink);
        }

        @Override
        protected long run() {
            driver.runDueTicks();
            truth.acquire();
            return super.run();
        }
    }

    /** Who watches: a receiver, its frames, and its network. */
    final class Viewer extends WireHost {

        private final SocketAddress address;
        private final SnapshotReceiver receiver;
        private final WireWay up;
        private final WireWay down;
        private final AnimationError error = new AnimationError("virtual");
        private @Nullable FrameView view;
        private Shown shown = new Shown(0);
        private boolean wasPredicted;
        private long ticksBefore;
        private long filledBefore;

        Viewer(double quantile, SocketAddress address) {
            super(PlayoutRun.this.time, random.nextLong(), random.nextDouble(-MOST_PPM, MOST_PPM));
            this.address = address;
            receiver = new SnapshotReceiver(new ReceiverSettings(1, 2 * BODIES, quantile, MOST_DELAY_NANOS), this);
            up = newWay(random.split());
            down = newWay(random.split());
            BiConsumer<ByteBuffer, SocketAddress> sink =
                    (packet, to) -> up.send(packet, arrived -> server.receive(arrived, address));
            endpoint = new ClientEndpoint(SERVER, WORLD, ACCESS, receiver, this, new Random(random.nextLong()), sink);
        }

        private WireWay newWay(SplittableRandom own) {
            WireWay way = new WireWay(time, own.split());
            way.leastNanos = network.leastMillis() * WireWay.MILLI;
            way.jitterNanos = network.jitterMillis() * WireWay.MILLI;
            way.repeated = 0;
            setLoss(way, own);
            return way;
        }

        /** Such that the share is lost, however long the bursts are for a while. */
        private void setLoss(WireWay way, SplittableRandom own) {
            way.burst = 1 + own.nextInt(MOST_BURST);
            way.lost = network.lost() / (way.burst * (1 - network.lost()) + network.lost());
            time.after(BURSTS_NANOS, () -> setLoss(way, own));
        }

        private void start() {
            wake();
            frame();
        }

        private void fromServer(ByteBuffer packet) {
            down.send(packet, arrived -> receive(arrived, SERVER));
        }

        @Override
        protected long run() {
            long nextNanos = super.run();
            if (view == null && receiver.isReady()) {
                view = FrameView.of(receiver.newReader());
            }
            return nextNanos;
        }

        private void frame() {
            time.after(FRAME_NANOS, () -> whenRunning(this::frame));
            FrameView to = view;
            if (to == null || !to.advance(nanoTime())) {
                return;
            }
            PoseBlock drawn = to.interpolator().block(BODIES >> PoseBlock.SHIFT);
            float tick = drawn.pz[BODIES & PoseBlock.MASK];
            long shownNanos = METRONOME.simNanos(drawn.px[BODIES & PoseBlock.MASK], (long) tick, RATE);
            // By the server's clock: a picture that goes at another speed to catch up moves wrongly too.
            Timeline truth = server.truth.window().timeline();
            long errorNanos = error.frame(shownNanos, truth, time.nanos);
            int next = (int) (to.shownTick() + 1 - to.window().oldestTick());
            boolean isPredicted =
                    to.shown().isPredicted() || to.window().snapshot(next).isPredicted();
            long ageNanos = truth.simNanosAt(time.nanos) - (long) (tick * (double) RATE.nanosAt(1));
            shown.add(time.nanos, ageNanos, errorNanos, isPredicted || wasPredicted);
            wasPredicted = isPredicted;
            long ticks = receiver.figure(ReceiverFigure.TICKS);
            long filled = receiver.figure(ReceiverFigure.FILLED_TICKS);
            shown.addTicks(ticks - ticksBefore, filled - filledBefore);
            ticksBefore = ticks;
            filledBefore = filled;
        }
    }

    /** What viewers are shown from an instant on. */
    static final class Shown {

        private final long fromNanos;
        private final Distribution age = new Distribution();
        private final Distribution error = new Distribution();
        private long frames;
        private long flagged;
        private long ticks;
        private long filled;
        private long wholeNanos = Long.MAX_VALUE;

        Shown(long fromNanos) {
            this.fromNanos = fromNanos;
        }

        /** Adds a frame, and whether it or the one before shows what is predicted. */
        void add(long nowNanos, long ageNanos, long errorNanos, boolean isFlagged) {
            frames++;
            age.record(ageNanos);
            if (isFlagged) {
                flagged++;
                return;
            }
            error.record(Math.abs(errorNanos));
            if (nowNanos - ageNanos >= fromNanos) {
                wholeNanos = Math.min(wholeNanos, nowNanos - fromNanos);
            }
        }

        void addTicks(long more, long moreFilled) {
            ticks += more;
            filled += moreFilled;
        }

        Playout row(String mode, double quantile, boolean isAfterStop) {
            if (flagged == frames || ticks == 0) {
                throw new IllegalStateException(mode + ": none of " + frames + " frames shows what was true");
            }
            return new Playout(
                    mode,
                    quantile,
                    100.0 * filled / ticks,
                    100.0 * flagged / frames,
                    age.summary(),
                    error.summary(),
                    isAfterStop ? wholeNanos / 1e6 : null);
        }
    }
}
