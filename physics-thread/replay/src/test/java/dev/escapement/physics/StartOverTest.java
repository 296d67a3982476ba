package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.BorrowedSource;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.time.TickRate;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A service that replaces one that has failed. */
@Timeout(60)
class StartOverTest {

    private static final int LAST_GOOD_TICK = 6;
    private static final TickRate RATE = TickRate.hertz(2000);

    private final IllegalStateException cause = new IllegalStateException("bodies overlap");
    private final ScriptedSimulation failing = ScriptedSimulation.failingFrom(LAST_GOOD_TICK + 1, cause);

    @Test
    void shouldResumeFromTheTickAfterTheLastGoodOne() throws Exception {
        PhysicsService failed = builder(failing).build();
        assertThat(failed.lastTick()).isZero();
        SnapshotReader last = failed.newReader();
        failed.start();
        Await.state(failed, ServiceState.FAILED);
        assertThat(failed.lastTick()).isEqualTo(LAST_GOOD_TICK);
        CompletableFuture<Long> first = new CompletableFuture<>();
        PhysicsService next = builder(new ScriptedSimulation(tick -> first.complete(tick.number())))
                .firstTick(failed.lastTick() + 1)
                .build();
        assertThat(next.lastTick()).isEqualTo(LAST_GOOD_TICK);
        SnapshotReader reader = next.newReader();
        next.start();
        Await.tickAfter(next, LAST_GOOD_TICK + 2);
        next.close();
        assertThat(first).isCompletedWithValue(LAST_GOOD_TICK + 1L);
        assertThat(reader.acquire()).isTrue();
        assertThat(reader.window().newestTick()).isEqualTo(next.lastTick());
        assertThat(reader.window().timeline().simNanosAt(next.startedAtNanos()))
                .as("simulated time continues, too")
                .isEqualTo(RATE.nanosAt(LAST_GOOD_TICK));
        assertThat(failed.state()).isEqualTo(ServiceState.FAILED);
        assertThat(last.acquire()).isTrue();
        assertThat(last.window().newestTick()).as("stays readable").isEqualTo(LAST_GOOD_TICK);
        failed.close();
        assertThat(failed.state()).isEqualTo(ServiceState.FAILED);
        assertThat(failed.failure()).containsSame(cause);
    }

    @Test
    void shouldHandOnADeviceWithAHeldKey() throws Exception {
        Keyboard keyboard = new Keyboard();
        InputSource lent = new BorrowedSource(keyboard);
        ScriptedSimulation first = new ScriptedSimulation(tick -> {
            if (tick.input().state().isKeyDown(Keyboard.W)) {
                throw cause;
            }
        });
        CompletableFuture<Boolean> held = new CompletableFuture<>();
        try (PhysicsService failed = builder(first).source(lent).start()) {
            Await.state(failed, ServiceState.FAILED);
        }
        int polled = keyboard.polled.get();
        try (PhysicsService next = builder(new ScriptedSimulation(
                        tick -> held.complete(tick.input().state().isKeyDown(Keyboard.W))))
                .source(lent)
                .start()) {
            assertThat(Await.get(held)).isTrue();
            Await.tickAfter(next, 3);
        }
        assertThat(keyboard.polled.get()).isGreaterThan(polled + 3);
        assertThat(keyboard.closed).as("it is the application's").hasValue(0);
    }

    @Test
    void shouldRefuseInputAndKeepUntakenInputAfterAFailure() throws Exception {
        PhysicsService failed = builder(failing).build();
        long soonNanos = System.nanoTime() + 900_000_000;
        assertThat(failed.input().offer(soonNanos, InputKind.APPLICATION, 1, 0, 0))
                .isTrue();
        failed.start();
        Await.state(failed, ServiceState.FAILED);
        assertThat(failed.input().offer(soonNanos, InputKind.APPLICATION, 2, 0, 0))
                .isFalse();
        assertThat(failed.input().rejected()).isEqualTo(1);
        assertThat(failed.pendingInputs()).isEqualTo(1);
        failed.close();
    }

    @Test
    void shouldRefuseAFirstTickThatIsNone(@TempDir Path folder) throws Exception {
        for (long tick : new long[] {Long.MIN_VALUE, 0, 6_311_520_000_001L}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder(failing).firstTick(tick).build())
                    .withMessage("at 2000 Hz the first tick must be 1 to 6311520000000, but is " + tick
                            + "; to continue another service, it is lastTick() + 1");
        }
        try (Recording recording =
                Recording.create(folder.resolve("run"), new RunDescription("scripted", "1", "", 0, RATE))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(
                            () -> builder(failing).with(recording).firstTick(2).build())
                    .withMessage("a log has every tick from 1 on, but the first tick is to be 2;"
                            + " begin with tick 1, or record nothing");
        }
    }

    private static PhysicsServiceBuilder builder(Simulation simulation) {
        return PhysicsService.builder(simulation).rate(RATE).onFailure(failure -> {});
    }

    /** Its W goes down in the third poll. */
    private static final class Keyboard implements InputSource {

        static final int W = 87;

        final AtomicInteger polled = new AtomicInteger();
        final AtomicInteger closed = new AtomicInteger();

        @Override
        public void poll(InputRing ring) {
            if (polled.incrementAndGet() == 3) {
                ring.offer(System.nanoTime(), InputKind.KEY_DOWN, W, 0, 0);
            }
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }
}
