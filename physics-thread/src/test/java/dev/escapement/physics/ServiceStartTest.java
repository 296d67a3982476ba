package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a service that was built, but not started, keeps for its first tick. */
@Timeout(60)
class ServiceStartTest {

    private static final TickRate RATE = TickRate.hertz(2000);

    private final CompletableFuture<Long> firstDueNanos = new CompletableFuture<>();
    private final ScriptedSimulation simulation =
            new ScriptedSimulation(tick -> firstDueNanos.complete(tick.dueNanos()));
    private final PhysicsService service =
            PhysicsService.builder(simulation).rate(RATE).build();

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void shouldDoWhatWasAskedForBeforeTheStart() throws Exception {
        assertThat(service.state()).isEqualTo(ServiceState.NEW);
        CompletableFuture<Answer<Long>> early = service.command(tick -> tick);
        SnapshotReader reader = service.newReader();
        assertThat(early).isNotDone();
        service.start();
        assertThat(Await.get(early)).isEqualTo(new Answer<>(1, 1L));
        assertThatIllegalStateException()
                .isThrownBy(service::start)
                .withMessage("this service was started before, it is RUNNING");
        Await.until(reader::acquire);
    }

    @Test
    void shouldBuildOnceTheRefusedSettingIsCorrected() {
        PhysicsServiceBuilder builder =
                PhysicsService.builder(new ScriptedSimulation(tick -> {})).windowSize(1);
        assertThatIllegalArgumentException().isThrownBy(builder::build);
        builder.windowSize(3).with(new TickHook() {}).build().close();
    }

    @Test
    void shouldRunFromTheStartAtTheScaleThatWasSetBefore() throws Exception {
        service.timeScale(new TimeScale(1, 10));
        service.start();
        assertThat(Await.get(firstDueNanos) - service.startedAtNanos()).isEqualTo(10 * RATE.nanosAt(1));
    }

    /** The thread that has started it is refused by the simulation from then on. */
    @Test
    void shouldHaveReportedTheSimulationItsThreadWhenItReturns() {
        Thread starting = Thread.currentThread();
        AtomicBoolean begun = new AtomicBoolean();
        Simulation slow = new ScriptedSimulation(tick -> {}) {
            @Override
            public void begin() {
                while (starting.getState() != Thread.State.TIMED_WAITING) {
                    Thread.onSpinWait();
                }
                begun.set(true);
            }
        };
        try (PhysicsService started = PhysicsService.builder(slow).start()) {
            assertThat(begun).isTrue();
            assertThat(started.failure()).isEmpty();
        }
    }

    @Test
    void shouldReturnThoughTheSimulationDoesNotBegin() {
        CountDownLatch started = new CountDownLatch(1);
        Simulation waits = new ScriptedSimulation(tick -> {}) {
            @Override
            public void begin() throws Exception {
                started.await();
            }
        };
        try (PhysicsService waiting = PhysicsService.builder(waits).start()) {
            assertThat(waiting.state()).isEqualTo(ServiceState.RUNNING);
            started.countDown();
        }
    }

    /** The physics thread's, or that of its watchdog: then nothing has ticked. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldCloseWhatItHasWhereThereIsNoMemoryForItsThreads(int threads) {
        AtomicBoolean stepped = new AtomicBoolean();
        AtomicBoolean unplugged = new AtomicBoolean();
        ScriptedSimulation closed = new ScriptedSimulation(tick -> stepped.set(true));
        PhysicsServiceBuilder builder = PhysicsService.builder(closed)
                .rate(RATE)
                .watchdog(1_000)
                .source(new ScriptedSource(ring -> {}, () -> unplugged.set(true)));
        AtomicInteger made = new AtomicInteger();
        builder.settings.threads = work -> made.getAndIncrement() == threads ? new NoThreads(work) : new Thread(work);
        assertThatThrownBy(builder::start).isInstanceOf(OutOfMemoryError.class);
        assertThat(closed.closed.getCount()).isZero();
        assertThat(unplugged).isTrue();
        assertThat(stepped).isFalse();
    }
}
