package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.physics.PushedMasses.Push;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
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

/** Answers of a service and of its objects before the first snapshot, after a failure, and after the close. */
@Timeout(60)
class LifeTest {

    private static final String NO_MORE = "IllegalStateException: this service was closed: no ";
    private static final String NO_WINDOW = "IllegalStateException: there is no window yet";
    private static final String ENDED = "IllegalStateException: the physics service has ended: ";
    private static final String WAITS = "waits";

    /** One call of the service's API; its result is compared as text. */
    private interface Call {

        Object of(Given given) throws Exception;
    }

    /** A method, and the start of its answer in each state: not started, failed, closed. */
    private record Row(String method, Call call, List<String> answers) {

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
        final SnapshotReader reader;
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
            reader = service.newReader();
            events = service.events(1024);
            if (state != ServiceState.NEW) {
                service.start();
            }
            if (state == ServiceState.FAILED) {
                Await.state(service, ServiceState.FAILED);
            } else if (state == ServiceState.CLOSED) {
                Await.tickAfter(service, 6);
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
                row("state", g -> g.service.state(), "NEW", "FAILED", "CLOSED"),
                row("failure", g -> g.service.failure(), "Optional.empty", "Optional[", "Optional.empty"),
                row("startedAtNanos", g -> g.service.startedAtNanos() == 0, "true", "false", "false"),
                row(
                        "closedAtNanos",
                        g -> g.service.closedAtNanos() != 0,
                        notClosed("NEW"),
                        notClosed("FAILED"),
                        "true"),
                row("newReader", g -> g.service.newReader().acquire(), "false", "true", NO_MORE + "reader"),
                row("lastTick", g -> g.service.lastTick() == 0, "true", "false", "false"),
                row("input", g -> offer(g.service.input()), "true", "false", "false"),
                ends("command", g -> outcome(g.service.command(tick -> 1))),
                ends("command", g -> outcome(g.service.command(Push.TYPE, new Push(0, 1)))),
                ends("execute", g -> outcome(g.service.execute(tick -> {}))),
                ends("query", g -> outcome(g.service.query(tick -> 1))),
                ends("spawn", g -> outcome(g.service.spawn((tick, id) -> 1).answer())),
                ends("StateHistory.rewind", g -> outcome(g.history.rewind(0))),
                ends("StateHistory.fork", g -> outcome(g.history.fork(0, () -> new PushedMasses(1)))),
                ends("shapes", g -> outcome(g.service.shapes(List.of(1L)))),
                ends("joints", g -> outcome(g.service.joints(10))),
                row("hasEnded", g -> g.service.hasEnded(), "false", "true", "true"),
                row("realTimeFactor", g -> g.service.realTimeFactor() > 0, "true", "false", "true"),
                row("window", g -> acquired(g).window(), NO_WINDOW, "Window[ticks 4 to 6]", "Window[ticks"),
                row("drain", g -> g.events.drain(event -> {}), "0", "1", "1"),
                row("close", g -> closed(g.service), "CLOSED", "FAILED", "CLOSED"),
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

    /** The service reports a reader that was dropped without a close, with the class and line that attached it. */
    @Test
    void shouldNameTheLinesThatAttachedTheReaders() throws Exception {
        try (PhysicsService service =
                PhysicsService.builder(ScriptedSimulation.good()).maxReaders(2).start()) {
            drop(service);
            service.newReader().acquire();
            assertThatIllegalStateException()
                    .isThrownBy(service::newReader)
                    .withMessageMatching("all 2 readers are attached, at dev[.]escapement[.]physics[.]LifeTest[.]drop"
                            + "[(]LifeTest[.]java:[0-9]+[)] [(]no thread uses it now[)],"
                            + " dev[.]escapement[.]physics[.]LifeTest[.]shouldNameTheLinesThatAttachedTheReaders"
                            + "[(]LifeTest[.]java:[0-9]+[)] [(]used by thread '"
                            + Thread.currentThread().getName() + "'[)];"
                            + " close one, or allow more: maxReaders[(]3[)] of the service's builder");
        }
    }

    private static void drop(PhysicsService service) {
        service.newReader();
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

    private static Row ends(String method, Call call) {
        return row(method, call, WAITS, ENDED + "FAILED", ENDED + "CLOSED");
    }

    private static String notNew(String state) {
        return "IllegalStateException: this service was started before, it is " + state;
    }

    private static String notClosed(String state) {
        return "IllegalStateException: this service is not closed, it is " + state;
    }

    private static Object closed(PhysicsService service) {
        service.close();
        return service.state();
    }

    private static SnapshotReader acquired(Given given) {
        given.reader.acquire();
        return given.reader;
    }

    private static boolean offer(InputRing ring) {
        return ring.offer(System.nanoTime(), InputKind.KEY_DOWN, 1, 0, 0);
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
