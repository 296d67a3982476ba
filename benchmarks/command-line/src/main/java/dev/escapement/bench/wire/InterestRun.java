package dev.escapement.bench.wire;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.wire.WireReport.Interests;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.wire.CodecLink;
import dev.escapement.state.wire.InterestRegion;
import dev.escapement.state.wire.InterestSettings;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SenderSession;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import dev.escapement.state.wire.network.VirtualTime;
import dev.escapement.state.wire.network.WireWay;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Many clients in a large world, each with an interest in the bodies near it, on virtual time in one thread. */
final class InterestRun implements Simulation {

    private static final long SECOND_NANOS = 1000 * WireWay.MILLI;
    private static final TickRate RATE = TickRate.hertz(60);
    private static final WireFormat FORMAT = WireFormat.rounded(0.001f, 0.005f);
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int LOSS_PERCENT = 5;
    private static final int SETTLE_SECONDS = 5;
    private static final long FEEDBACK_NANOS = 20 * WireWay.MILLI;
    private static final int ROOM = 1300;

    /** The ages of poses are measured of this many clients; all are sent the same way. */
    private static final int ASKED = 4;

    private static final double METRES_PER_SECOND = 5;

    /** The world is a cube with one body in each this many cubic metres. */
    private static final double CUBIC_METRES = 12;

    private final VirtualTime time = new VirtualTime();
    private final SplittableRandom random = new SplittableRandom(7);
    private final InterestSettings settings;
    private final double side;
    private final double radius;

    /** Per body: a place and an angle, and their changes in a tick. */
    private final double[] at;

    private final double[] speed;
    private final InlineDriver driver;
    private final SnapshotSender sender;
    private final List<Client> clients = new ArrayList<>();
    private final ByteBuffer packet = ByteBuffer.allocate(2048);
    private long tick;
    private long senderNanos;
    private long bytes;
    private final Distribution age = new Distribution();

    /** A client that gets the nearest bodies around a point that moves. */
    private final class Client {

        private final InterestRegion near = new InterestRegion(radius);
        private final SenderSession session = sender.newReceiver(near, settings);
        private final SnapshotReceiver receiver =
                new SnapshotReceiver(new ReceiverSettings(1, at.length, 0.99, SECOND_NANOS / 4), () -> time.nanos);
        private final WireWay down = way();
        private final WireWay up = way();
        private final double angle = random.nextDouble(2 * Math.PI);
        private final double x = random.nextDouble(0.2 * side, 0.8 * side);
        private final double z = random.nextDouble(0.2 * side, 0.8 * side);

        // Of a measured client: reads the same packets.
        private final CodecLink link = new CodecLink(FORMAT, PoseLayout.PLAIN, at.length / 4, 0, ticksPerSend());
        private final WritableSnapshot known = new WritableSnapshot(0, PoseLayout.PLAIN);
        private final long[] knownTicks = new long[at.length / 4];
        private final boolean isAsked = clients.size() < ASKED;
        private long readTick;

        private int ticksPerSend() {
            return (int) Math.ceil(RATE.inHertz() / settings.sendsPerSecond());
        }

        private void move() {
            double way = 5 * Math.sin(time.nanos * METRES_PER_SECOND / 5 / SECOND_NANOS);
            near.moveTo(x + way * Math.cos(angle), side / 2, z + way * Math.sin(angle));
        }

        private void send() {
            while (true) {
                long beganNanos = THREADS.getCurrentThreadCpuTime();
                boolean isWritten = session.write(packet.clear().limit(ROOM), time.nanos);
                senderNanos += THREADS.getCurrentThreadCpuTime() - beganNanos;
                if (!isWritten) {
                    return;
                }
                bytes += packet.position();
                down.send(packet.flip(), this::arrive);
            }
        }

        private void arrive(ByteBuffer arrived) {
            receiver.packet(arrived.duplicate(), time.nanos);
            if (!isAsked) {
                return;
            }
            ask();
            link.receive(arrived, number -> readTick = link.knownTick());
            link.read(readTick, known);
            for (int body = 0; body < known.poses().slotCount(); body++) {
                knownTicks[body] = known.bodies().exists(body) ? readTick : knownTicks[body];
            }
        }

        /** The age of a known pose, just before it is replaced. */
        private void ask() {
            for (int body = 0; body < known.poses().slotCount(); body++) {
                if (known.bodies().exists(body) && tick > SETTLE_SECONDS * RATE.inHertz()) {
                    long ageNanos = time.nanos - RATE.nanosAt(knownTicks[body]) - down.leastNanos;
                    age.record(Math.max(0, ageNanos));
                }
            }
        }

        private void answer() {
            receiver.run(time.nanos);
            receiver.writeFeedback(packet.clear());
            up.send(packet.flip(), arrived -> {
                long beganNanos = THREADS.getCurrentThreadCpuTime();
                session.feedback(arrived, time.nanos);
                senderNanos += THREADS.getCurrentThreadCpuTime() - beganNanos;
            });
            time.after(FEEDBACK_NANOS, this::answer);
        }

        private WireWay way() {
            WireWay way = new WireWay(time, random.split());
            way.leastNanos = 25 * WireWay.MILLI;
            way.jitterNanos = 0;
            way.lost = LOSS_PERCENT / 100.0;
            way.burst = 1;
            way.repeated = 0;
            return way;
        }
    }

    private InterestRun(int bodies, int clientCount, InterestSettings settings) {
        this.settings = settings;
        side = Math.cbrt(CUBIC_METRES * bodies);
        radius = Math.cbrt(1.5 * settings.maxBodies() * CUBIC_METRES * 3 / (4 * Math.PI));
        at = random.doubles(4L * bodies, 0, side).toArray();
        speed = random.doubles(4L * bodies, -0.03, 0.03).toArray();
        driver = PhysicsService.builder(this).rate(RATE).preallocate(bodies).inline(() -> time.nanos);
        sender = new SnapshotSender(driver.newReader(), FORMAT, CodecLink.STREAM);
        for (int i = 0; i < clientCount; i++) {
            clients.add(new Client());
            time.after(random.nextLong(FEEDBACK_NANOS), clients.get(i)::answer);
        }
    }

    /** Measures the clients of a world for {@code seconds}, after some seconds of warm-up. */
    static Interests of(int bodies, int clients, InterestSettings settings, int seconds) {
        InterestRun run = new InterestRun(bodies, clients, settings);
        run.runFor(SETTLE_SECONDS);
        run.senderNanos = 0;
        run.bytes = 0;
        run.runFor(seconds);
        return new Interests(
                clients,
                bodies,
                settings.maxBodies(),
                settings.sendsPerSecond(),
                LOSS_PERCENT,
                100.0 * run.senderNanos / (seconds * SECOND_NANOS),
                run.bytes / 1e3 / seconds / clients,
                run.age.summary().p999() / 1e3,
                run.age.summary().max() / 1e3);
    }

    private void runFor(int seconds) {
        long endTick = tick + (long) (seconds * RATE.inHertz());
        while (tick < endTick) {
            tick++;
            time.runUntil(RATE.nanosAt(tick));
            clients.forEach(Client::move);
            driver.runDueTicks();
            long beganNanos = THREADS.getCurrentThreadCpuTime();
            sender.run(time.nanos);
            senderNanos += THREADS.getCurrentThreadCpuTime() - beganNanos;
            clients.forEach(Client::send);
        }
    }

    @Override
    public void step(Tick tick) {
        for (int i = 0; i < at.length; i++) {
            speed[i] += random.nextDouble(-0.002, 0.002);
            speed[i] = at[i] < 0 ? Math.abs(speed[i]) : at[i] > side ? -Math.abs(speed[i]) : speed[i];
            at[i] += speed[i];
        }
    }

    @Override
    public void capture(PoseWriter poses) {
        poses.bodyCount(at.length / 4);
        for (int i = 0; i < at.length; i += 4) {
            float sine = (float) Math.sin(at[i + 3]);
            float cosine = (float) Math.cos(at[i + 3]);
            poses.set(i / 4, (float) at[i], (float) at[i + 1], (float) at[i + 2], 0.6f * sine, 0.8f * sine, 0, cosine);
        }
    }
}
