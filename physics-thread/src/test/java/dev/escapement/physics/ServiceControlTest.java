package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests commands, queries and time control of a running service. Every wait is for an answer, never for a time. */
@Timeout(60)
class ServiceControlTest {

    private volatile long stepped;
    private final PhysicsService service = PhysicsService.builder(
                    new ScriptedSimulation(tick -> stepped = tick.number()))
            .rate(TickRate.hertz(2000))
            .start();

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void shouldRunCommandsBeforeATickAndQueriesAfterIt() throws Exception {
        Answer<Long> command = Await.get(service.command(tick -> stepped));
        assertThat(command.value()).isEqualTo(command.tick() - 1);
        Answer<Long> query = Await.get(service.query(tick -> stepped));
        assertThat(query.value()).isEqualTo(query.tick());
        Answer<Thread> thread = Await.get(service.query(tick -> Thread.currentThread()));
        assertThat(thread.value().getName()).isEqualTo("escapement-physics");
    }

    @Test
    void shouldStandStillAndStillAnswer() throws Exception {
        pause();
        long standing = Await.get(service.query(tick -> stepped)).value();
        assertThat(Await.get(service.command(tick -> tick))).isEqualTo(new Answer<>(standing + 1, standing + 1));
        assertThat(Await.get(service.query(tick -> stepped)).value()).isEqualTo(standing);
        assertThat(service.state()).isEqualTo(ServiceState.PAUSED);

        service.step();
        service.step();
        Await.until(() -> stepped == standing + 2);
        pause();
        assertThat(Await.get(service.query(tick -> stepped)).value()).isEqualTo(standing + 2);

        service.resume();
        Await.tickAfter(service, standing + 100);
    }

    /** The end of the service does not wait for a command that offers itself again and again. */
    @Test
    void shouldCloseWhileTimeStandsStill() throws Exception {
        again(0);
        pause();
        service.close();
        assertThat(service.state()).isEqualTo(ServiceState.CLOSED);
    }

    /** Offers itself until the queue accepts it. A place becomes free when an earlier command is answered. */
    private long again(long tick) {
        while (service.command(this::again).isCompletedExceptionally()) {
            Thread.onSpinWait();
        }
        return tick;
    }

    @Test
    void shouldRefuseAScaleThatTheRateCannotHave() throws Exception {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> service.timeScale(new TimeScale(64, 1)))
                .withMessageContaining("a scale of 64 cannot be used at 2000 Hz");
        Await.get(service.query(tick -> tick));
        assertThat(service.state()).isEqualTo(ServiceState.RUNNING);
    }

    /** Pauses the service and waits until it reports PAUSED. A query in between must be answered. */
    private void pause() throws Exception {
        service.pause();
        while (service.state() != ServiceState.PAUSED) {
            Await.get(service.query(tick -> tick));
        }
    }
}
