package dev.escapement.bench.cluster;

import dev.escapement.bench.cluster.CountedInputs.Numbered;
import dev.escapement.bench.demo.PushControls;
import dev.escapement.bench.process.ChildProcess;
import dev.escapement.bench.report.EndRequest;
import dev.escapement.cluster.aeron.ClusterNode;
import dev.escapement.cluster.aeron.ClusteredPhysics;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.input.InputKind;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A node in its own process: offers inputs, and reports its ticks through {@code say}. A node that runs alone prints one sentence per
 * second. A node that another process started runs until its standard input ends, and prints lines in this format:
 *
 * <pre>
 * tick NUMBER HASH LATENESS-NANOS START-NANOS LEADS
 * acknowledged PROCESS NUMBER
 * counted LOST DOUBLED
 * applied PROCESS NUMBER
 * failed MESSAGE
 * </pre>
 *
 * <p>Instants are in the time of the monotonic clock, which all processes of a machine share.
 */
record NodeProcess(ClusterNode node, CountedInputs simulation, Consumer<String> say) {

    private static final int INPUT_MILLIS = 10;
    private static final int INPUTS_A_SECOND = 100;

    private record Ran(long tick, long hash, long lateNanos, long startedNanos) {}

    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for the commands: an unacknowledged one may be lost
    void run(int seconds, boolean alone) throws IOException, InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        if (alone) {
            EndRequest.accept();
        } else {
            ChildProcess.watchParent(ended::countDown);
        }
        long process = new SecureRandom().nextLong();
        AtomicLong acknowledged = new AtomicLong();
        Queue<Ran> ran = new ConcurrentLinkedQueue<>();
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        PhysicsServiceBuilder builder = PhysicsService.builder(simulation)
                .with(new TickHook() {
                    @Override
                    public void published(TickHook.Times times) {
                        ran.add(new Ran(
                                times.publishedTick(),
                                simulation.lastHash(),
                                times.startedNanos() - times.dueNanos(),
                                times.startedNanos()));
                    }
                })
                .onFailure(cause -> {}); // quiet here, because the process prints its own line "failed"
        try (ClusteredPhysics physics = ClusteredPhysics.start(builder, node)) {
            String last = "No tick yet: this node waits for the others.";
            for (long number = 1;
                    !ended.await(INPUT_MILLIS, TimeUnit.MILLISECONDS)
                            && !physics.hasEnded()
                            && !EndRequest.isMade()
                            && System.nanoTime() - endNanos < 0;
                    number++) {
                physics.input()
                        .offer(System.nanoTime(), InputKind.APPLICATION, PushControls.PUSH_ONE, (float) number, 0.1f);
                physics.command(Numbered.TYPE, new Numbered(process, number))
                        .thenAccept(answer -> acknowledged.accumulateAndGet(answer.value(), Math::max));
                for (Ran tick = ran.poll(); tick != null; tick = ran.poll()) {
                    if (alone) {
                        last = String.format(
                                "Tick %,d, state %016x, began %.3f ms late; this node %s.",
                                tick.tick, tick.hash, tick.lateNanos / 1e6, physics.isLeader() ? "leads" : "follows");
                    } else {
                        say.accept("tick " + tick.tick + " " + Long.toHexString(tick.hash) + " " + tick.lateNanos + " "
                                + tick.startedNanos + " " + physics.isLeader());
                    }
                }
                if (number % INPUTS_A_SECOND == 0) {
                    say.accept(alone ? last : "acknowledged " + process + " " + acknowledged);
                }
            }
            physics.failure().ifPresent(cause -> {
                throw new IllegalStateException(cause.getMessage(), cause);
            });
        }
        if (!alone) {
            say.accept("counted " + simulation.lost() + " " + simulation.doubled());
            simulation.last().forEach((from, number) -> say.accept("applied " + from + " " + number));
        }
    }
}
