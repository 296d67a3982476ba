package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.Await;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.TickRate;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of a service and of its objects before the first snapshot, after a failure, and after the close. */
@Timeout(60)
class LifeTest {

    private static final String NO_MORE = "IllegalStateException: this service was closed: no ";
    private static final String ENDED = "IllegalStateException: the physics service has ended: ";
    private static final String WAITS = "waits";

    private interface Call {

        Object of(Given given) throws Exception;
    }

    private interface Request {

        CompletableFuture<?> of(Given given);
    }

    /** A method, and the start of its answer in each state: not started, failed, closed. */
    record Row(String method, Call call, List<String> answers) {

        @Override
        public String toString() {
            return method;
        }
    }

    /** A service in one of its states, with objects that it created before. */
    private static final class Given implements AutoCloseable {

        final IllegalStateException cause = new IllegalStateException("bodies overlap");
        final StateHistory history = StateHistory.ofTicks(1);
        final PhysicsService service;
        final EventStream events;

        Given(ServiceState state) throws Exception {
            service = PhysicsService.builder(new PushedMasses(1) {
                        @Override
                        public void step(Tick tick) {
                            if (state == ServiceState.FAILED && tick.number() > 6) {
                                throw cause;
                            }
                        }
                    })
                    .rate(TickRate.hertz(2000))
                    .with(history)
                    .onFailure(failure -> {})
                    .build();
            events = service.events(1024);
            if (state != ServiceState.NEW) {
                service.start();
            }
            if (state == ServiceState.FAILED) {
                AwaitService.state(service, ServiceState.FAILED);
            } else if (state == ServiceState.CLOSED) {
                AwaitService.tickAfter(service, 6);
                service.close();
            }
        }

        @Override
        public void close() {
            service.close();
        }
    }

    static Stream<Row> service() {
        return Stream.of(
                row("start", g -> g.service.start().state(), "RUNNING", notNew("FAILED"), notNew("CLOSED")),
                row("failure", g -> g.service.failure(), "Optional.empty", "Optional[", "Optional.empty"),
                row("startedAtNanos", g -> g.service.startedAtNanos() == 0, "true", "false", "false"),
                row("newReader", g -> g.service.newReader().acquire(), "false", "true", NO_MORE + "reader"),
                row("input", g -> g.service.input().offer(0, InputKind.KEY_DOWN, 1, 0, 0), "true", "false", "false"),
                ends("command", g -> g.service.command(tick -> 1)),
                ends("spawn", g -> g.service.spawn((tick, id) -> 1).answer()),
                ends("StateHistory.rewind", g -> g.history.rewind(0)),
                ends("StateHistory.fork", g -> g.history.fork(0, () -> new PushedMasses(1))),
                ends("shapes", g -> g.service.shapes(List.of(1L))),
                ends("joints", g -> g.service.joints(10)),
                row("hasEnded", g -> g.service.hasEnded(), "false", "true", "true"),
                row("realTimeFactor", g -> g.service.realTimeFactor() > 0, "true", "false", "true"),
                row("drain", g -> g.events.drain(event -> {}), "0", "1", "1"),
                row(
                        "toString",
                        g -> g.service,
                        "PhysicsService[NEW",
                        "PhysicsService[FAILED",
                        "PhysicsService[CLOSED"));
    }

    @ParameterizedTest
    @MethodSource("service")
    void shouldAnswerAsItSaysInEachState(Row row) throws Exception {
        List<ServiceState> states = List.of(ServiceState.NEW, ServiceState.FAILED, ServiceState.CLOSED);
        for (int i = 0; i < states.size(); i++) {
            try (Given given = new Given(states.get(i))) {
                assertThat(answer(row.call, given))
                        .as("%s of what is %s", row.method, states.get(i))
                        .startsWith(row.answers.get(i));
            }
        }
    }

    @Test
    void shouldNameTheLineThatAttachedAReader() {
        try (PhysicsService service =
                PhysicsService.builder(ScriptedSimulation.good()).maxReaders(1).build()) {
            assertThat(service.newReader()).isNotNull();
            assertThatIllegalStateException()
                    .isThrownBy(service::newReader)
                    .withMessageMatching(
                            "all 1 readers are attached, at .*LifeTest.shouldNameTheLineThatAttachedAReader"
                                    + "\\(LifeTest.java:\\d+\\) \\(no thread uses it now\\); close one, .*maxReaders\\(2\\).*");
        }
    }

    @Test
    void shouldResumeFromTheTickAfterTheLastGoodOne() throws Exception {
        TickRate rate = TickRate.hertz(2000);
        IllegalStateException cause = new IllegalStateException("bodies overlap");
        PhysicsService failed = PhysicsService.builder(ScriptedSimulation.failingFrom(7, cause))
                .rate(rate)
                .onFailure(failure -> {})
                .start();
        AwaitService.state(failed, ServiceState.FAILED);
        PhysicsService next = PhysicsService.builder(ScriptedSimulation.good())
                .rate(rate)
                .firstTick(failed.lastPublishedTick() + 1)
                .build();
        SnapshotReader reader = next.newReader();
        CompletableFuture<Answer<Long>> first = next.command(tick -> tick);
        next.start();
        assertThat(Await.get(first).value()).isEqualTo(7);
        AwaitService.tickAfter(next, 8);
        next.close();
        assertThat(reader.acquire()).isTrue();
        assertThat(reader.window().timeline().simNanosAt(next.startedAtNanos()))
                .as("simulated time continues, too")
                .isEqualTo(rate.nanosAt(6));
        failed.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, 0, 6_311_520_000_001L})
    void shouldRefuseAFirstTickThatIsNone(long tick) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PhysicsService.builder(new Witness())
                        .rate(TickRate.hertz(2000))
                        .firstTick(tick)
                        .build())
                .withMessage("at 2000 Hz the first tick must be 1 to 6311520000000, but is " + tick
                        + "; to continue another service, it is lastPublishedTick() + 1");
    }

    private static String answer(Call call, Given given) {
        try {
            return String.valueOf(call.of(given));
        } catch (Exception e) {
            return e.getClass().getSimpleName() + ": " + e.getMessage();
        }
    }

    private static Row row(String method, Call call, String ofNew, String ofFailed, String ofClosed) {
        return new Row(method, call, List.of(ofNew, ofFailed, ofClosed));
    }

    private static Row ends(String method, Request request) {
        return row(method, given -> outcome(request.of(given)), WAITS, ENDED + "FAILED", ENDED + "CLOSED");
    }

    private static String notNew(String state) {
        return "IllegalStateException: this service was started before, it is " + state;
    }

    private static String outcome(CompletableFuture<?> future) throws Exception {
        if (!future.isCompletedExceptionally()) {
            return WAITS;
        }
        Throwable thrown = Await.failure(future);
        Throwable cause = thrown instanceof CompletionException ? Objects.requireNonNull(thrown.getCause()) : thrown;
        return cause.getClass().getSimpleName() + ": " + cause.getMessage();
    }
}
