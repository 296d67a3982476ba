package dev.escapement.bench.cluster;

import dev.escapement.bench.cluster.CountedInputs.Numbered;
import dev.escapement.bench.demo.PushControls;
import dev.escapement.bench.process.ChildProcess;
import dev.escapement.cluster.aeron.ClusterNode;
import dev.escapement.cluster.aeron.ClusteredPhysics;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickTimes;
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
 * A node in its own process: offers inputs, and reports its ticks in lines of words, until its input ends.
 *
 * <pre>
 *   tick NUMBER HASH LATENESS-NANOS START-NANOS LEADS
 *   acknowledged PROCESS NUMBER
 *   counted LOST DOUBLED
 *   applied PROCESS NUMBER
 *   failed MESSAGE
 * </pre>
 *
 * <p>Instants are in the time of the monotonic clock, which all processes of a machine share.
 */
final class NodeProcess {

    private static final int INPUT_MILLIS = 10;
    private static final int INPUTS_A_SECOND = 100;

    private record Ran(long tick, long hash, long lateNanos, long startedNanos) {}

    private NodeProcess() {}

    @SuppressWarnings("FutureReturnValueIgnored") // an input that is not acknowledged may fail
    static void run(ClusterNode node, CountedInputs simulation, int seconds, Consumer<String> say)
            throws IOException, InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        ChildProcess.watchParent(ended::countDown);
        long process = new SecureRandom().nextLong();
        AtomicLong acknowledged = new AtomicLong();
        Queue<Ran> ran = new ConcurrentLinkedQueue<>();
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        PhysicsServiceBuilder builder = PhysicsService.builder(simulation)
                .with(new TickHook() {
                    @Override
                    public void published(TickTimes times) {
                        ran.add(new Ran(
                                times.tick(),
                                simulation.lastHash(),
                                times.startedNanos() - times.dueNanos(),
                                times.startedNanos()));
                    }
                })
                .onFailure(cause -> {}); // reported by the process
        try (ClusteredPhysics physics = ClusteredPhysics.start(builder, node)) {
            for (long number = 1;
                    !ended.await(INPUT_MILLIS, TimeUnit.MILLISECONDS)
                            && !physics.hasEnded()
                            && System.nanoTime() - endNanos < 0;
                    number++) {
                physics.input()
                        .offer(System.nanoTime(), InputKind.APPLICATION, PushControls.PUSH_ONE, (float) number, 0.1f);
                physics.command(Numbered.TYPE, new Numbered(process, number))
                        .thenAccept(answer -> acknowledged.accumulateAndGet(answer.value(), Math::max));
                for (Ran tick = ran.poll(); tick != null; tick = ran.poll()) {
                    say.accept("tick " + tick.tick + " " + Long.toHexString(tick.hash) + " " + tick.lateNanos + " "
                            + tick.startedNanos + " " + physics.isLeader());
                }
                if (number % INPUTS_A_SECOND == 0) {
                    say.accept("acknowledged " + process + " " + acknowledged);
                }
            }
            physics.failure().ifPresent(cause -> {
                throw new IllegalStateException(cause.getMessage(), cause);
            });
        }
        say.accept("counted " + simulation.lost() + " " + simulation.doubled());
        simulation.last().forEach((from, number) -> say.accept("applied " + from + " " + number));
    }
}
