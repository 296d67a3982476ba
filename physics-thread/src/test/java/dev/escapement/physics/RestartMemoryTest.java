package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.replay.Recording;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.TickRate;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A restart for which there is no memory: before the hand-over nothing has happened, after it the service has failed once more. */
@Timeout(60)
class RestartMemoryTest {

    private static final int LAST_GOOD_TICK = 6;
    private static final TickRate RATE = TickRate.hertz(2000);

    private final IllegalStateException cause = new IllegalStateException("bodies overlap");
    private final OutOfMemoryError noMemory = new OutOfMemoryError("Java heap space: the test allows none");
    private final CompletableFuture<Integer> seen = new CompletableFuture<>();
    private final ScriptedSimulation next = new ScriptedSimulation(tick -> {
        if (tick.input().size() > 0) {
            seen.complete(tick.input().event(0).code());
        }
    });

    /** What makes the threads from now on. Written by the test's thread, on which restarts ask, and by none after the start. */
    private volatile ThreadFactory threads = Thread::new;

    @Test
    void shouldLeaveEverythingAsItWasWhereThereIsNoMemoryForANextLife(@TempDir Path folder) throws Exception {
        RunDescription run = new RunDescription("scripted", "1", "", 0, RATE);
        try (Recording recording = Recording.create(folder.resolve("run"), run);
                PhysicsService service = failed(builder().record(recording))) {
            SnapshotReader reader = service.newReader();
            assertThat(service.input().offer(System.nanoTime(), InputKind.APPLICATION, 17, 0, 0))
                    .isTrue();
            threads = work -> {
                throw noMemory;
            };
            for (int attempt = 0; attempt < 3; attempt++) {
                assertThatThrownBy(() -> service.restart(next)).isSameAs(noMemory);
                assertThat(service.state()).isEqualTo(ServiceState.FAILED);
                assertThat(service.failure()).containsSame(cause);
                assertThat(next.closed.getCount()).as("not closed").isEqualTo(1);
                assertThat(recording.failure()).isEmpty();
                assertThat(service.pendingInputs()).isEqualTo(1);
            }
            threads = Thread::new;
            service.restart(next);
            Await.tickAfter(service, LAST_GOOD_TICK + 3);
            assertThat(Await.get(seen)).isEqualTo(17);
            assertThat(recording.failure()).isPresent();
            assertThat(reader.acquire()).isTrue();
            assertThat(reader.window().oldestTick()).isGreaterThan(LAST_GOOD_TICK);
        }
    }

    @Test
    void shouldFailOnceMoreWhereThereIsNoMemoryForAnotherThread() throws Exception {
        try (PhysicsService service = failed(builder())) {
            threads = NoThreads::new;
            assertThatThrownBy(() -> service.restart(next)).isInstanceOf(OutOfMemoryError.class);
            assertThat(service.state()).isEqualTo(ServiceState.FAILED);
            assertThat(service.failure()).containsInstanceOf(OutOfMemoryError.class);
            assertThat(next.closed.getCount()).isZero();
            threads = Thread::new;
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> service.restart(next))
                    .withMessageContaining("has been used before");
            service.restart(ScriptedSimulation.good());
            Await.tickAfter(service, LAST_GOOD_TICK + 3);
        }
    }

    private PhysicsServiceBuilder builder() {
        ScriptedSimulation failing =
                new ScriptedSimulation(tick -> {
                    if (tick.number() > LAST_GOOD_TICK) {
                        throw cause;
                    }
                }) {
                    @Override
                    public long hash() {
                        return 1;
                    }
                };
        PhysicsServiceBuilder builder = PhysicsService.builder(failing).rate(RATE);
        builder.threads = work -> threads.newThread(work);
        return builder;
    }

    private static PhysicsService failed(PhysicsServiceBuilder builder) throws InterruptedException {
        PhysicsService service = builder.start();
        Await.state(service, ServiceState.FAILED);
        return service;
    }
}
