package dev.escapement.bench.cluster;

import dev.escapement.bench.demo.PushControls;
import dev.escapement.bench.measure.ChildProcess;
import dev.escapement.bench.measure.CountedInputs;
import dev.escapement.bench.measure.CountedInputs.Numbered;
import dev.escapement.cluster.aeron.ClusterNode;
import dev.escapement.cluster.aeron.ClusteredPhysics;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.web.LivePage;
import dev.escapement.state.input.InputKind;
import dev.escapement.transport.aeron.AeronDriver;
import dev.escapement.transport.aeron.AeronSender;
import java.lang.management.ManagementFactory;
import java.security.SecureRandom;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node in a process of its own: offers inputs, and tells what it does. One that runs alone tells that in a sentence a second; otherwise it runs
 * until its input ends, and writes lines of words.
 *
 * <pre>
 *   tick NUMBER HASH LATENESS-NANOS START-NANOS LEADS
 *   acknowledged PROCESS NUMBER
 *   processor NANOS
 *   counted LOST DOUBLED
 *   applied PROCESS NUMBER
 *   shown on ADDRESS
 *   failed MESSAGE
 * </pre>
 *
 * <p>Instants are those of the monotonic clock, which is the same for all processes of a machine.
 */
final class NodeProcess {

    private static final int INPUT_MILLIS = 10;

    /** Of ticks that were not told yet: a node that catches up runs thousands within a second. */
    private static final int KEPT_TICKS = 1 << 16;

    private static final long CLOCK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ClusterNode node;
    private final CountedInputs simulation;
    private final Consumer<String> say;
    private final long process = new SecureRandom().nextLong();

    private final @Nullable Integer servePort;
    private final boolean hasViewer;

    // By tick, modulo their length. Written by the physics thread before it releases the number of the last one.
    private final long[] hash = new long[KEPT_TICKS];
    private final long[] latenessNanos = new long[KEPT_TICKS];
    private final long[] startedNanos = new long[KEPT_TICKS];
    private final AtomicLong lastTick = new AtomicLong();

    private final AtomicLong acknowledged = new AtomicLong();

    /** Shown on a page if there is a port for the first node. */
    NodeProcess(
            ClusterNode node,
            CountedInputs simulation,
            Consumer<String> say,
            @Nullable Integer servePort,
            boolean hasViewer) {
        this.hasViewer = hasViewer;
        this.node = node;
        this.say = say;
        this.simulation = simulation;
        this.servePort = servePort;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what is not acknowledged may fail
    void run(int seconds, boolean alone) throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        if (!alone) {
            ChildProcess.watchParent(ended::countDown);
        }
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        try (ClusteredPhysics physics = ClusteredPhysics.start(
                        PhysicsService.builder(simulation)
                                .listener(this::ticked)
                                .onFailure(cause -> {}), // told below
                        node);
                LivePage page = page(physics);
                AeronDriver driver = hasViewer ? AeronDriver.embedded() : null;
                AeronSender stream = driver == null ? null : ClusterViewer.stream(physics, driver, node.number())) {
            if (stream != null && alone) {
                say.accept("It is sent while it leads.");
            }
            if (page != null) {
                say.accept("shown on " + page.url());
            }
            long told = 0;
            long number = 0;
            long clockNanos = System.nanoTime();
            while (!ended.await(INPUT_MILLIS, TimeUnit.MILLISECONDS)
                    && !physics.hasEnded()
                    && System.nanoTime() - endNanos < 0) {
                number++;
                physics.input()
                        .offer(System.nanoTime(), InputKind.APPLICATION, PushControls.PUSH_ONE, (float) number, 0.1f);
                physics.command(Numbered.TYPE, new Numbered(process, number))
                        .thenAccept(answer -> acknowledged.accumulateAndGet(answer.value(), Math::max));
                if (!alone) {
                    told = tell(told, physics.isLeader());
                }
                if (System.nanoTime() - clockNanos > CLOCK_NANOS) {
                    clockNanos += CLOCK_NANOS;
                    if (alone) {
                        tellAlone(physics);
                    } else {
                        tellClock();
                    }
                }
            }
            if (alone && physics.failure().isPresent()) {
                throw new IllegalStateException(physics.failure().get().getMessage());
            }
            physics.failure().ifPresent(cause -> say.accept("failed " + cause.getMessage()));
        }
        if (!alone) {
            say.accept("counted " + simulation.lost() + " " + simulation.doubled());
            simulation.last().forEach((from, last) -> say.accept("applied " + from + " " + last));
        }
    }

    private @Nullable LivePage page(ClusteredPhysics physics) {
        return servePort == null
                ? null
                : LivePage.of(physics.newReader())
                        .controls(physics)
                        .title("Node " + node.number())
                        .port(servePort + node.number())
                        .counts(() -> Map.of("leads", physics.isLeader() ? 1L : 0L))
                        .start();
    }

    private void tellAlone(ClusteredPhysics physics) {
        long tick = lastTick.getAcquire();
        say.accept(
                tick == 0
                        ? "No tick yet: it waits for the others."
                        : String.format(
                                Locale.ROOT,
                                "Tick %,d, state %016x, began %.3f ms late; this node %s.",
                                tick,
                                hash[place(tick)],
                                latenessNanos[place(tick)] / 1e6,
                                physics.isLeader() ? "leads" : "follows"));
    }

    private static int place(long tick) {
        return (int) (tick % KEPT_TICKS);
    }

    private void ticked(long tick, long dueNanos, long started, long stepped, long published) {
        int at = place(tick);
        hash[at] = simulation.lastHash();
        latenessNanos[at] = started - dueNanos;
        startedNanos[at] = started;
        lastTick.setRelease(tick);
    }

    private long tell(long told, boolean leads) {
        long last = lastTick.getAcquire();
        for (long tick = Math.max(told, last - KEPT_TICKS / 2) + 1; tick <= last; tick++) {
            int at = place(tick);
            if (startedNanos[at] != 0) { // otherwise it is from before the state that this node went on from
                say.accept("tick " + tick + " " + Long.toHexString(hash[at]) + " " + latenessNanos[at] + " "
                        + startedNanos[at] + " " + leads);
            }
        }
        return last;
    }

    private void tellClock() {
        say.accept("acknowledged " + process + " " + acknowledged.get());
        if (ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system) {
            say.accept("processor " + system.getProcessCpuTime());
        }
    }
}
