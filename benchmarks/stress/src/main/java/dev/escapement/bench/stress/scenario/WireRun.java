package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.scenario.InputLedger.RingCounts;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import dev.escapement.state.wire.network.VirtualTime;
import dev.escapement.state.wire.network.WireHost;
import dev.escapement.state.wire.network.WireWay;
import dev.escapement.state.wire.udp.Access;
import dev.escapement.state.wire.udp.Limits;
import dev.escapement.state.wire.udp.ServerEndpoint;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * A server, its clients and the network between them on virtual time in one thread; their properties and the faults are drawn from a seed.
 * Every tick is checked when it is published, all input when a tick takes it. The promises of single endpoints and receivers are tested in
 * shared-state.
 *
 * <pre>
 *   join --1.5 s--&gt; faults strike --the last ends--&gt; recovery --3.5 s--&gt; all must be exact --0.5 s--&gt; end
 * </pre>
 */
final class WireRun {

    static final SocketAddress SERVER = new InetSocketAddress(InetAddress.getLoopbackAddress(), 20121);
    static final String WORLD = "simulated";

    /** The checked promises; a fault is planted for each. */
    static final Set<Promise> PROMISES = Set.of(
            Promise.TRUE_OR_FLAGGED, Promise.WHOLE_AGAIN, Promise.INPUT_ONCE, Promise.INPUT_ORDER, Promise.INPUT_SUMS);

    private static final long MILLI = WireWay.MILLI;
    private static final int MAX_FAULTS = 6;
    private static final int MAX_CLIENTS = 4 + MAX_FAULTS;
    private static final int LAST_MOMENT = 400;
    private static final long MOMENT_NANOS = 10 * MILLI;
    private static final long JOIN_NANOS = 1500 * MILLI;

    /** Both sides reconnect after a silence of two seconds, and have the whole world a second later. */
    private static final long AGAIN_NANOS = 3500 * MILLI;

    private static final long END_NANOS = 500 * MILLI;
    private static final long MAX_FAULT_NANOS = 3000 * MILLI;
    private static final int FIRST_PORT = 30_000;

    final Trial trial;
    final VirtualTime time = new VirtualTime();
    final TickRate rate;
    final WireFormat format;
    final Access access;
    private final SplittableRandom random;
    private final List<WireLink> links = new ArrayList<>();
    final InputLedger inputs;
    final Server server;

    /** The producers of clients that crashed: accepted events that were not sent are lost with them. */
    private final List<NumberedProducer> crashed = new ArrayList<>();

    private int producers;
    private long wellNanos;
    private long endsFromNanos = Long.MAX_VALUE;
    private int ports = FIRST_PORT;

    private WireRun(Trial trial, SplittableRandom random, int clients) {
        this.trial = trial;
        this.random = random;
        rate = TickRate.hertz(List.of(50, 60, 100, 125).get(random.nextInt(4)));
        format = List.of(WireFormat.EXACT, WireFormat.rounded(0.001f, 0.003f), WireFormat.rounded(0.01f, 0.02f))
                .get(random.nextInt(3));
        access = random.nextBoolean() ? Access.key(new byte[Access.MIN_KEY_BYTES]) : Access.thisMachine();
        inputs = new InputLedger(MAX_CLIENTS, false, trial::isPlanted);
        boolean lies = trial.isPlanted(Promise.TRUE_OR_FLAGGED);
        ServedWorld world = new ServedWorld(random.nextInt(2, 40), format, lies, inputs::arrive);
        server = new Server(this, world, random.split());
        server.wake();
        for (int client = 0; client < clients; client++) {
            links.add(new WireLink(this, random.split(), JOIN_NANOS / 5));
        }
    }

    /** The scenario of a seed; its line contains the seed, the faults and their moments. */
    static Scenario scenario(long seed, LongConsumer traced) {
        SplittableRandom random = new SplittableRandom(~seed);
        int clients = random.nextInt(2, 5);
        FaultPlan<WireFault> plan =
                FaultPlan.draw(seed, 1 + random.nextInt(MAX_FAULTS), WireFault.all(clients), fault -> LAST_MOMENT);
        return new Scenario(
                "wire-seed",
                plan.toString(),
                PROMISES,
                trial -> traced.accept(new WireRun(trial, random, clients).run(plan)));
    }

    /** Returns what distinguishes this run from others. */
    private long run(FaultPlan<WireFault> plan) {
        for (FaultPlan.Strike<WireFault> strike : plan.strikes()) {
            time.at(JOIN_NANOS + strike.moment() * MOMENT_NANOS, () -> strike(strike.fault()));
        }
        time.runUntil(JOIN_NANOS + LAST_MOMENT * MOMENT_NANOS);
        time.runUntil(Math.max(wellNanos, time.nanos));
        links.forEach(WireLink::heal);
        endsFromNanos = time.nanos + AGAIN_NANOS;
        time.runUntil(endsFromNanos + END_NANOS);
        long leastTicks = (long) (0.4 * END_NANOS / rate.nanosAt(1));
        links.forEach(link -> link.client.checkEnd(leastTicks));
        long lost = crashed.stream()
                .mapToLong(producer -> producer.accepted - producer.arrived)
                .sum();
        inputs.report(trial, new RingCounts(inputs.accepted(), inputs.offered() - inputs.accepted(), lost));
        return time.trace();
    }

    SocketAddress nextAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), ports++);
    }

    /** Any instant, sometimes one that wraps soon. */
    long clock() {
        return random.nextInt(8) == 0
                ? Long.MAX_VALUE - random.nextLong(MAX_FAULT_NANOS)
                : random.nextLong() >> random.nextInt(Long.SIZE);
    }

    double drift() {
        return random.nextDouble(-50, 50);
    }

    private void strike(WireFault fault) {
        long nanos =
                1 + (random.nextInt(4) == 0 ? random.nextLong(MAX_FAULT_NANOS) : random.nextLong(MAX_FAULT_NANOS / 6));
        wellNanos = Math.max(wellNanos, time.nanos + nanos);
        if (fault.client() == WireFault.SERVER) {
            strikeServer(fault.act(), nanos);
        } else {
            links.get(fault.client()).strike(fault.act(), nanos);
        }
    }

    private void strikeServer(WireFault.Act act, long nanos) {
        Server struck = server;
        switch (act) {
            case STOP -> struck.stopFor(nanos);
            case STEP -> struck.setClock(nanos, 4 * drift());
            case PAUSE -> {
                struck.driver.pause();
                time.after(nanos, () -> struck.driver.resume());
            }
            case SCALE -> {
                struck.driver.timeScale(TimeScale.of(random.nextInt(1, 9) / 4.0));
                time.after(nanos, () -> struck.driver.timeScale(TimeScale.ONE));
            }
            default -> throw new IllegalArgumentException("no fault of a server: " + act);
        }
    }

    void toClient(ByteBuffer packet, SocketAddress to) {
        time.trace(packet.hashCode());
        links.stream().filter(link -> to.equals(link.address)).forEach(link -> link.down(packet, to));
    }

    NumberedProducer newProducer() {
        return inputs.producer(producers++);
    }

    void crashed(NumberedProducer producer) {
        crashed.add(producer);
    }

    /** Whether the last fault ended so long ago that the world must be exact. */
    boolean isEnding() {
        return time.nanos >= endsFromNanos;
    }

    void check(Promise promise, boolean held, Supplier<String> what) {
        trial.check(promise).that(held, () -> what.get() + ", " + time.nanos / MILLI + " ms after the start");
    }

    /** A server's program: a service that ticks when it is due, and its endpoint. */
    static final class Server extends WireHost {

        private static final long LATE_NANOS = 1_000_000;
        private static final int READERS = 8;

        final ServedWorld world;
        final InlineDriver driver;
        private final SplittableRandom random;

        Server(WireRun run, ServedWorld world, SplittableRandom random) {
            super(run.time, run.clock(), run.drift());
            this.world = world;
            this.random = random;
            driver = PhysicsService.builder(world)
                    .rate(run.rate)
                    .maxReaders(READERS)
                    .pausedInput((event, state) -> run.inputs.arrive(event))
                    .inline(this);
            SnapshotSender sender = new SnapshotSender(driver.newReader(), run.format, random.nextInt());
            Random names = new Random(random.nextLong());
            endpoint =
                    new ServerEndpoint(sender, driver.input(), WORLD, run.access, Limits.DEFAULT, names, run::toClient);
        }

        @Override
        protected long run() {
            driver.runDueTicks();
            long nextNanos = super.run();
            return random.nextInt(10) == 0 ? nextNanos + random.nextLong(LATE_NANOS) : nextNanos;
        }
    }
}
