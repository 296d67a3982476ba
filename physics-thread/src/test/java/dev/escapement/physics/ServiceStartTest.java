package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.physics.PhysicsService.State;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
        assertThat(service.state()).isEqualTo(State.NEW);
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
    void shouldRunFromTheStartAtTheScaleThatWasSetBefore() throws Exception {
        service.timeScale(new TimeScale(1, 10));
        service.start();
        assertThat(Await.get(firstDueNanos) - service.startedAtNanos()).isEqualTo(10 * RATE.nanosAt(1));
    }

    @Test
    void shouldCloseTheSimulationOfAServiceThatNeverStarted() throws Exception {
        CompletableFuture<?> early = service.command(tick -> tick);
        service.close();
        assertThat(service.state()).isEqualTo(State.CLOSED);
        assertThat(simulation.closed.getCount()).isZero();
        assertThat(Await.failure(early)).hasMessageContaining("the physics service has ended: CLOSED");
        assertThatIllegalStateException().isThrownBy(service::start).withMessageContaining("it is CLOSED");
    }
}
