package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.wire.WireFormat;
import dev.escapement.state.wire.network.VirtualTime;
import dev.escapement.state.wire.network.WireWay;
import dev.escapement.state.wire.udp.Access;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A server, its clients and the network between them on virtual time in one thread, drawn from a seed: what they are, and the faults that
 * strike. All that is shown is checked when it is published and when it is drawn, all input when a tick takes it.
 *
 * <pre>
 *   join --1.5 s--&gt; faults strike --the last is over--&gt; all is well
 *        --1 s, 3.5 s with a new session--&gt; all must be whole --0.5 s--&gt; end
 * </pre>
 *
 * <p>The last client is struck by no fault, and has a good network: it must not notice what happens to the others.
 */
final class WireRun {

    static final SocketAddress SERVER = new InetSocketAddress(InetAddress.getLoopbackAddress(), 20121);
    static final String WORLD = "simulated";

    /** What is checked; a fault is planted for each. */
    static final Set<Promise> PROMISES = Collections.unmodifiableSet(CheckingReader.promisesWithoutModel(
            Promise.TRUE_OR_FLAGGED,
            Promise.FADES,
            Promise.FAR_TOLD,
            Promise.WHOLE_AGAIN,
            Promise.YOUNG_AGAIN,
            Promise.UNDISTURBED,
            Promise.BOUNDED,
            Promise.INPUT_ONCE,
            Promise.INPUT_ORDER,
            Promise.INPUT_SUMS));

    private static final long MILLI = WireWay.MILLI;
    private static final int MOST_FAULTS = 6;
    private static final int LAST_MOMENT = 400;
    private static final long MOMENT_NANOS = 10 * MILLI;
    private static final long JOIN_NANOS = 1500 * MILLI;
    private static final long AGAIN_NANOS = 1000 * MILLI;
    private static final long NEW_SESSION_NANOS = 2500 * MILLI;

    private static final long END_NANOS = 500 * MILLI;
    private static final long MOST_FAULT_NANOS = 3000 * MILLI;

    /** How old a picture is at most: what a receiver waits, what frames need, and some milliseconds. */
    private static final long MOST_WAIT_NANOS = 300 * MILLI;

    private static final int MOST_WAIT_TICKS = 6;

    private static final int FIRST_PORT = 30_000;

    final Trial trial;
    final VirtualTime time = new VirtualTime();
    final TickRate rate;
    final WireFormat format;
    final Access access;
    final WireInputs inputs;
    private final FaultPlan<WireFault> plan;
    final SplittableRandom random;
    private final List<WirePaths> worlds = new ArrayList<>();
    private final List<WireLink> links = new ArrayList<>();
    final boolean isSealed;
    private final int bodies;
    private final boolean serverIsStruck;

    WireServer server;

    private long wellNanos;
    private long endsFromNanos = Long.MAX_VALUE;
    private int ports = FIRST_PORT;

    private WireRun(Trial trial, FaultPlan<WireFault> plan, SplittableRandom random, int clients) {
        this.trial = trial;
        this.plan = plan;
        this.random = random;
        inputs = new WireInputs(trial);
        rate = TickRate.hertz(List.of(50, 60, 100, 125).get(random.nextInt(4)));
        format = List.of(WireFormat.EXACT, WireFormat.rounded(0.001f, 0.003f), WireFormat.rounded(0.01f, 0.02f))
                .get(random.nextInt(3));
        isSealed = random.nextBoolean();
        access = isSealed ? Access.key(new byte[Access.LEAST_KEY_BYTES]) : Access.thisMachine();
        bodies = random.nextInt(2, 40);
        serverIsStruck =
                plan.strikes().stream().anyMatch(strike -> strike.fault().client() == WireFault.SERVER);
        server = newServer();
        for (int client = 0; client < clients; client++) {
            links.add(new WireLink(this, client, random.split()));
        }
        links.get(clients - 1).heal();
    }

    /** The scenario of a seed, whose line tells the seed, the faults and their moments. */
    static Scenario scenario(long seed, LongConsumer traced) {
        SplittableRandom random = new SplittableRandom(~seed);
        int clients = random.nextInt(2, 5);
        FaultPlan<WireFault> plan =
                FaultPlan.draw(seed, 1 + random.nextInt(MOST_FAULTS), WireFault.all(clients - 1), fault -> LAST_MOMENT);
        return new Scenario(
                "wire-seed",
                plan.toString(),
                PROMISES,
                trial -> traced.accept(new WireRun(trial, plan, random, clients).run()));
    }

    /** Returns what tells this run from others. */
    private long run() {
        server.wake();
        for (WireLink link : links) {
            time.at(random.nextLong(JOIN_NANOS / 5), link::start);
        }
        for (FaultPlan.Strike<WireFault> strike : plan.strikes()) {
            time.at(JOIN_NANOS + strike.moment() * MOMENT_NANOS, () -> strike(strike.fault()));
        }
        time.runUntil(JOIN_NANOS + LAST_MOMENT * MOMENT_NANOS);
        time.runUntil(Math.max(wellNanos, time.nanos));
        wellNanos = time.nanos;
        links.forEach(WireLink::heal);
        boolean isNew =
                plan.strikes().stream().anyMatch(strike -> strike.fault().endsSession());
        long foundNanos = isNew ? NEW_SESSION_NANOS : 0;
        endsFromNanos = wellNanos + AGAIN_NANOS + foundNanos;
        time.runUntil(endsFromNanos + END_NANOS);
        long leastTicks = (long) (0.4 * END_NANOS / rate.nanosAt(1));
        links.forEach(link -> link.client().checkEnd(leastTicks));
        return time.trace();
    }

    private WireServer newServer() {
        int number = worlds.size();
        WirePaths world = new WirePaths(number, random.nextLong(), bodies, format, tick -> {
            inputs.arrive(tick);
            worlds.get(number).steppedNanos.add(time.nanos);
        });
        world.lies = trial.isPlanted(Promise.TRUE_OR_FLAGGED);
        world.tellsJumps = !trial.isPlanted(Promise.FADES);
        worlds.add(world);
        return new WireServer(this, world, random.split(), clock(), drift());
    }

    SocketAddress nextAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), ports++);
    }

    /** Anywhere, sometimes so that it wraps soon. */
    long clock() {
        return random.nextInt(8) == 0
                ? Long.MAX_VALUE - random.nextLong(MOST_FAULT_NANOS)
                : random.nextLong() >> random.nextInt(Long.SIZE);
    }

    double drift() {
        return random.nextDouble(-50, 50);
    }

    // What strikes.

    private void strike(WireFault fault) {
        long nanos = random.nextInt(4) == 0 ? random.nextLong(MOST_FAULT_NANOS) : random.nextLong(MOST_FAULT_NANOS / 6);
        wellNanos = Math.max(wellNanos, time.nanos + nanos);
        if (fault.client() == WireFault.SERVER) {
            strikeServer(fault.act(), nanos);
        } else {
            links.get(fault.client()).strike(fault.act(), nanos);
        }
    }

    private void strikeServer(WireFault.Act act, long nanos) {
        switch (act) {
            case STOP -> server.stopFor(nanos);
            case STEP -> server.setClock(nanos, drift());
            case DRIFT -> server.setClock(0, 4 * drift());
            case CRASH, CLOSE -> restartServer(act == WireFault.Act.CLOSE, nanos);
            case PAUSE -> {
                WireServer paused = server;
                paused.driver.pause();
                time.after(nanos, () -> paused.driver.resume());
            }
            case SCALE -> {
                WireServer scaled = server;
                scaled.driver.timeScale(TimeScale.of(random.nextInt(1, 9) / 4.0));
                time.after(nanos, () -> scaled.driver.timeScale(TimeScale.ONE));
            }
            default -> throw new IllegalArgumentException("no fault of a server: " + act);
        }
    }

    private void restartServer(boolean saysGoodbye, long afterNanos) {
        if (trial.isPlanted(Promise.INPUT_ONCE)) {
            server.startEndpoint();
            return;
        }
        if (saysGoodbye && !server.isGone()) {
            server.sayGoodbye();
        }
        WireServer before = server;
        before.crash();
        time.after(afterNanos, () -> {
            if (server == before) {
                inputs.beginServer(before.driver.pendingInputs());
                server = newServer();
                server.wake();
            }
        });
    }

    // The network.

    void toClient(ByteBuffer packet, SocketAddress to) {
        time.trace(packet.hashCode());
        for (WireLink link : links) {
            if (to.equals(link.address)) {
                link.down(packet, to);
            }
        }
    }

    boolean anyIsStopped() {
        return links.stream().anyMatch(link -> link.isStarted() && link.client().isStopped());
    }

    // What clients ask.

    /** The world that a tick shows; null if it shows none. */
    @Nullable
    WirePaths world(Snapshot shown) {
        for (int slot = 0; slot < shown.poses().slotCount(); slot++) {
            if (shown.bodies().exists(slot)) {
                return worlds.get(WirePaths.numberOf(shown.bodies().userData(slot)));
            }
        }
        return null;
    }

    boolean isNewest(@Nullable WirePaths world) {
        return world == server.world;
    }

    boolean isUndisturbed(WireClient client) {
        WireLink last = links.get(links.size() - 1);
        return !serverIsStruck && last.isStarted() && client == last.client();
    }

    /** Whether all has been well for so long that it must be whole. */
    boolean isEnding() {
        return time.nanos >= endsFromNanos;
    }

    String afterAll() {
        return (time.nanos - wellNanos) / MILLI + " ms after the last fault";
    }

    /** A tick of the newest world is shown, which came by a way that takes so long. */
    void checkYoung(long then, long wayNanos) {
        long ageNanos = time.nanos - server.world.steppedNanos.get((int) then - 1);
        long mostNanos = wayNanos + MOST_WAIT_NANOS + MOST_WAIT_TICKS * rate.nanosAt(1);
        check(Promise.YOUNG_AGAIN, ageNanos <= mostNanos, () -> ageNanos / MILLI + " ms old, " + afterAll());
    }

    void check(Promise promise, boolean held, Supplier<String> what) {
        trial.check(promise).that(held, () -> what.get() + ", " + time.nanos / MILLI + " ms after the start");
    }
}
