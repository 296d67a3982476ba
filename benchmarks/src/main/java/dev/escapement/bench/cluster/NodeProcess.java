package dev.escapement.bench.cluster;

import dev.escapement.bench.cluster.CountedInputs.Numbered;
import dev.escapement.bench.demo.PushControls;
import dev.escapement.bench.run.Engine;
import dev.escapement.bench.stress.trial.ChildProcess;
import dev.escapement.cluster.aeron.ClusterNode;
import dev.escapement.cluster.aeron.ClusteredPhysics;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.command.Answer;
import dev.escapement.state.input.InputKind;
import java.lang.management.ManagementFactory;
import java.security.SecureRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A node in a process of its own: runs until its input ends, offers inputs, and writes what it does in lines of words.
 *
 * <pre>
 *   tick NUMBER HASH LATENESS-NANOS START-NANOS LEADS
 *   acknowledged PROCESS NUMBER
 *   processor NANOS
 *   counted LOST DOUBLED
 *   applied PROCESS NUMBER
 *   failed MESSAGE
 * </pre>
 *
 * <p>Instants are those of the monotonic clock, which is the same for all processes of a machine.
 */
final class NodeProcess {

    private static final int INPUT_MILLIS = 10;
    private static final long CLOCK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ClusterNode node;
    private final CountedInputs simulation;
    private final Consumer<String> say;
    private final long process = new SecureRandom().nextLong();

    // By tick. Written by the physics thread before it releases the number of the last one.
    private final long[] hash;
    private final long[] latenessNanos;
    private final long[] startedNanos;
    private final AtomicLong lastTick = new AtomicLong();

    private final AtomicLong acknowledged = new AtomicLong();

    NodeProcess(ClusterNode node, Engine engine, int bodies, int seconds, Consumer<String> say) {
        this.node = node;
        this.say = say;
        simulation = CountedInputs.of(engine.simulation(bodies));
        int ticks = Math.toIntExact(node.run().rate().tickAt(TimeUnit.SECONDS.toNanos(seconds)));
        hash = new long[ticks];
        latenessNanos = new long[ticks];
        startedNanos = new long[ticks];
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what is not acknowledged may fail
    void run() throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        ChildProcess.watchParent(ended::countDown);
        try (ClusteredPhysics physics =
                ClusteredPhysics.start(PhysicsService.builder(simulation).listener(this::ticked), node)) {
            long told = 0;
            long number = 0;
            long clockNanos = System.nanoTime();
            while (!ended.await(INPUT_MILLIS, TimeUnit.MILLISECONDS) && !physics.hasEnded()) {
                number++;
                physics.input()
                        .offer(System.nanoTime(), InputKind.APPLICATION, PushControls.PUSH_ONE, (float) number, 0.1f);
                physics.command(Numbered.TYPE, new Numbered(process, number)).thenAccept(this::acknowledge);
                told = tell(told, physics.isLeader());
                if (System.nanoTime() - clockNanos > CLOCK_NANOS) {
                    clockNanos += CLOCK_NANOS;
                    tellClock();
                }
            }
            physics.failure().ifPresent(cause -> say.accept("failed " + cause.getMessage()));
        }
        say.accept("counted " + simulation.lost() + " " + simulation.doubled());
        simulation.last().forEach((from, last) -> say.accept("applied " + from + " " + last));
    }

    private void acknowledge(Answer<Long> answer) {
        acknowledged.accumulateAndGet(answer.value(), Math::max);
    }

    private void ticked(long tick, long dueNanos, long started, long stepped, long published) {
        int at = (int) tick;
        if (at < hash.length) {
            hash[at] = simulation.lastHash();
            latenessNanos[at] = started - dueNanos;
            startedNanos[at] = started;
            lastTick.setRelease(tick);
        }
    }

    private long tell(long told, boolean leads) {
        long last = lastTick.getAcquire();
        for (long tick = told + 1; tick <= last; tick++) {
            int at = (int) tick;
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
