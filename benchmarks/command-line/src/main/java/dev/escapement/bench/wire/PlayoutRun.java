package dev.escapement.bench.wire;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Metronome;
import dev.escapement.bench.wire.WireReport.Playout;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.render.FrameView;
import dev.escapement.render.tools.AnimationError;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import dev.escapement.state.wire.ReceiverMetric;
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
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A served world and its viewers over UDP, on virtual time in one thread. The server's clock shows the true time, those of the viewers
 * drift. The moment that a frame shows is read from its picture.
 */
final class PlayoutRun {

    private static final long SECOND_NANOS = 1000 * WireWay.MILLI;
    private static final long FRAME_NANOS = SECOND_NANOS / 144;
    private static final TickRate RATE = TickRate.hertz(100);
    private static final int BODIES = 100;

    /** So large that its rounded place gives the time within 3 us. */
    private static final Metronome METRONOME = new Metronome(1000);

    private static final WireFormat FORMAT = WireFormat.rounded(0.001f, 0.003f);
    private static final String WORLD = "measured";
    private static final Access ACCESS = Access.thisMachine();
    private static final int FIRST_PORT = 30_000;
    private static final SocketAddress SERVER = address(-1);
    private static final int MAX_BURST = 5;
    private static final long BURSTS_NANOS = 100 * WireWay.MILLI;
    private static final double MAX_PPM = 50;

    private static final long SEED = 25;
    private static final int SETTLE_SECONDS = 5;

    private final VirtualTime time = new VirtualTime();
    final List<Viewer> viewers;
    private final Network network;
    private final SplittableRandom random;
    private final Server server;

    /** Measures the pictures of viewers for {@code seconds}: one viewer for each quantile of delays to wait for. */
    static List<Playout> of(Network network, int seconds, double... quantiles) {
        PlayoutRun run = new PlayoutRun(network, quantiles);
        run.viewers.forEach(Viewer::startCounting);
        run.runFor(seconds);
        return run.viewers.stream().map(Viewer::playout).toList();
    }

    /** A world and a viewer for each quantile, connected for some seconds. */
    PlayoutRun(Network network, double... quantiles) {
        this.network = network;
        random = new SplittableRandom(SEED);
        server = new Server();
        viewers = IntStream.range(0, quantiles.length)
                .mapToObj(i -> new Viewer(quantiles[i], address(i)))
                .toList();
        server.wake();
        viewers.forEach(viewer -> time.after(random.nextLong(SECOND_NANOS / 10), viewer::start));
        runFor(SETTLE_SECONDS);
    }

    private static SocketAddress address(int viewer) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), FIRST_PORT + viewer);
    }

    void runFor(int seconds) {
        time.runUntil(time.nanos + seconds * SECOND_NANOS);
    }

    /** Bodies on springs, and one that shows the time: the tick along z, and more exactly, but to and fro, along x. */
    private static final class World extends ForwardingSimulation {

        private long tick;

        World() {
            super(new SpringSimulation(BODIES));
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

    /** A service that ticks when it is due, and the sender of its world. */
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

    /** A viewer: a receiver, its frames, and its network. */
    final class Viewer extends WireHost {

        private final SocketAddress address;
        private final SnapshotReceiver receiver;
        private final WireWay up;
        private final WireWay down;
        private final AnimationError error = new AnimationError("virtual");
        private @Nullable FrameView view;
        private final double quantile;
        private Distribution age = new Distribution();
        private Distribution shownError = new Distribution();
        private long frames;
        private long flagged;
        private long ticksBefore;
        private long filledBefore;
        private boolean wasPredicted;

        Viewer(double quantile, SocketAddress address) {
            super(PlayoutRun.this.time, random.nextLong(), random.nextDouble(-MAX_PPM, MAX_PPM));
            this.quantile = quantile;
            this.address = address;
            receiver = new SnapshotReceiver(new ReceiverSettings(1, 2 * BODIES, quantile), this);
            up = newWay(random.split());
            down = newWay(random.split());
            BiConsumer<ByteBuffer, SocketAddress> sink =
                    (packet, to) -> up.send(packet, arrived -> server.receive(arrived, address));
            endpoint = new ClientEndpoint(
                    () -> List.of(SERVER), WORLD, ACCESS, receiver, this, new Random(random.nextLong()), sink);
        }

        private WireWay newWay(SplittableRandom own) {
            WireWay way = new WireWay(time, own.split());
            way.leastNanos = network.leastMillis() * WireWay.MILLI;
            way.jitterNanos = network.jitterMillis() * WireWay.MILLI;
            way.repeated = 0;
            setLoss(way, own);
            return way;
        }

        /** Sets the chance of a burst so that the share of lost packets is the same for every length of bursts. */
        private void setLoss(WireWay way, SplittableRandom own) {
            way.burst = 1 + own.nextInt(MAX_BURST);
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
            // By the server's clock: a picture that changes its speed to catch up also has an animation error.
            Timeline truth = server.truth.window().timeline();
            long errorNanos = error.frame(shownNanos, truth, time.nanos);
            int next = (int) (to.clock().tick() + 1 - to.window().oldestTick());
            boolean isPredicted =
                    to.shown().isPredicted() || to.window().snapshot(next).isPredicted();
            long ageNanos = truth.simNanosAt(time.nanos) - (long) (tick * (double) RATE.nanosAt(1));
            frames++;
            age.record(ageNanos);
            if (isPredicted || wasPredicted) {
                flagged++;
            } else {
                shownError.record(Math.abs(errorNanos));
            }
            wasPredicted = isPredicted;
        }

        /** Begins to count. */
        void startCounting() {
            age = new Distribution();
            shownError = new Distribution();
            frames = 0;
            flagged = 0;
            ticksBefore = receiver.metric(ReceiverMetric.TICKS);
            filledBefore = receiver.metric(ReceiverMetric.FILLED_TICKS);
        }

        /** The metrics since {@link #startCounting}. */
        Playout playout() {
            long ticks = receiver.metric(ReceiverMetric.TICKS) - ticksBefore;
            if (flagged == frames || ticks == 0) {
                throw new IllegalStateException("none of " + frames + " frames shows what was true");
            }
            return new Playout(
                    WireReport.ACKNOWLEDGED,
                    quantile,
                    100.0 * (receiver.metric(ReceiverMetric.FILLED_TICKS) - filledBefore) / ticks,
                    100.0 * flagged / frames,
                    age.summary(),
                    shownError.summary());
        }
    }
}
