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
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every public method of a service, and of what it gives, does before the first window, after a failure, and after the close. */
@Timeout(60)
class LifeTest {

    private static final String NO_MORE = "IllegalStateException: this service was closed: no ";
    private static final String NO_WINDOW = "IllegalStateException: there is no window yet";
    private static final String ENDED = "IllegalStateException: the physics service has ended: ";
    private static final String WAITS = "waits";

    /** What a call returns, as text; an exception by its name and the start of its message. */
    private interface Call {

        Object of(Given given) throws Exception;
    }

    /** A method, and how it begins to answer in each state: not started, failed, closed. */
    private record Row(String method, Call call, List<String> answers) {

        @Override
        public String toString() {
            return method;
        }
    }

    /** A service in one of its states, with what it gave before. */
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
                same("builder", g -> PhysicsService.builder(ScriptedSimulation.good()) != null, "true"),
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
                same("events", g -> g.service.events(8).drain(event -> {}), "0"),
                row("lastTick", g -> g.service.lastTick() == 0, "true", "false", "false"),
                row("input", g -> offer(g.service.input()), "true", "false", "false"),
                ends("command", g -> outcome(g.service.command(tick -> 1))),
                ends("command", g -> outcome(g.service.command(Push.TYPE, new Push(0, 1)))),
                ends("execute", g -> outcome(g.service.execute(tick -> {}))),
                ends("query", g -> outcome(g.service.query(tick -> 1))),
                ends("spawn", g -> outcome(g.service.spawn((tick, id) -> 1).answer())),
                same("StateHistory.canRewind", g -> g.history.canRewind(), "true"),
                ends("StateHistory.rewind", g -> outcome(g.history.rewind(0))),
                ends("StateHistory.fork", g -> outcome(g.history.fork(0, () -> new PushedMasses(1)))),
                ends("shapes", g -> outcome(g.service.shapes(List.of(1L)))),
                ends("joints", g -> outcome(g.service.joints(10))),
                same("refusedCommands", g -> g.service.refusedCommands(), "0"),
                same("failedCommands", g -> g.service.failedCommands(), "0"),
                same("pause", g -> done(g.service::pause), "done"),
                same("resume", g -> done(g.service::resume), "done"),
                same("step", g -> done(g.service::step), "done"),
                same("timeScale", g -> done(() -> g.service.timeScale(new TimeScale(1, 2))), "done"),
                same("timeScale", g -> g.service.timeScale().equals(TimeScale.ONE), "true"),
                same("rate", g -> g.service.rate(), "2000 Hz"),
                same("name", g -> g.service.name().isEmpty(), "true"),
                row("hasEnded", g -> g.service.hasEnded(), "false", "true", "true"),
                same("tickMetrics", g -> g.service.tickMetrics() != null, "true"),
                same("threadGrants", g -> g.service.threadGrants(), "nothing was asked of the operating system"),
                same("stats", g -> g.service.stats().rollbacks(), "0"),
                same("pendingInputs", g -> g.service.pendingInputs(), "0"),
                row("realTimeFactor", g -> g.service.realTimeFactor() > 0, "true", "false", "true"),
                same("skippedTicks", g -> g.service.skippedTicks() >= 0, "true"),
                same("skippedNanos", g -> g.service.skippedNanos() >= 0, "true"),
                same("slowedNanos", g -> g.service.slowedNanos() >= 0, "true"),
                same("quarantinedPoses", g -> g.service.quarantinedPoses(), "0"),
                same("divergence", g -> g.service.divergence(), "Optional.empty"),
                row("close", g -> closed(g.service), "CLOSED", "FAILED", "CLOSED"),
                row(
                        "toString",
                        g -> g.service,
                        "PhysicsService[NEW",
                        "PhysicsService[FAILED",
                        "PhysicsService[CLOSED"));
    }

    static Stream<Row> reader() {
        return Stream.of(
                row("acquire", g -> g.reader.acquire(), "false", "true", "true"),
                row("hasWindow", g -> g.reader.acquire() == g.reader.hasWindow(), "true", "true", "true"),
                row("window", g -> acquired(g).window(), NO_WINDOW, "Window[ticks 4 to 6]", "Window[ticks"),
                same("windowSize", g -> g.reader.windowSize(), "3"),
                same("clock", g -> g.reader.clock() != null, "true"),
                same("handOver", g -> done(g.reader::handOver), "done"),
                same("close", g -> done(g.reader::close), "done"));
    }

    static Stream<Row> events() {
        return Stream.of(
                row("drain", g -> g.events.drain(event -> {}), "0", "1", "1"),
                same("missed", g -> g.events.missed(), "0"),
                same("close", g -> done(g.events::close), "done"));
    }

    static Stream<Row> input() {
        return Stream.of(
                row("offer", g -> offer(g.service.input()), "true", "false", "false"),
                row("accepted", g -> offered(g).accepted(), "1", "0", "0"),
                row("rejected", g -> offered(g).rejected(), "0", "1", "1"),
                row("waiting", g -> offered(g).waiting(), "1", "0", "0"),
                same("droppedWhilePaused", g -> offered(g).droppedWhilePaused(), "0"),
                same("hold", g -> done(g.service.input()::hold) + offer(g.service.input()), "donefalse"),
                row("open", g -> reopened(g.service.input()), "true", "false", "false"),
                same("close", g -> done(g.service.input()::close), "done"));
    }

    private static boolean reopened(InputRing ring) {
        ring.hold();
        ring.open();
        return offer(ring);
    }

    @ParameterizedTest
    @MethodSource({"service", "reader", "events", "input"})
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
    void shouldKnowEveryPublicMethod() {
        assertThat(names(service().filter(row -> !row.method.contains("."))))
                .containsExactlyElementsOf(publicMethods(PhysicsService.class));
        assertThat(names(reader())).containsExactlyElementsOf(publicMethods(SnapshotReader.class));
        assertThat(names(events())).containsExactlyElementsOf(publicMethods(EventStream.class));
        assertThat(names(input())).containsExactlyElementsOf(publicMethods(InputRing.class));
    }

    /** A reader that was dropped without a close: its leak is reported with class and line. */
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

    @Test
    void shouldRefuseTheSameWhereADriverWasClosed() throws Exception {
        InlineDriver driver = PhysicsService.builder(ScriptedSimulation.good()).inline(new ManualClock(0));
        driver.close();
        String closed = "IllegalStateException: this driver was closed";
        assertThat(answer(g -> driver.newReader())).startsWith(closed);
        assertThat(answer(g -> driver.events(8).drain(event -> {}))).isEqualTo("0");
        assertThat(answer(g -> driver.runDueTicks())).startsWith(closed);
        assertThat(answer(g -> driver.input().offer(0, InputKind.KEY_DOWN, 1, 0, 0)))
                .isEqualTo("false");
        assertThat(answer(g -> outcome(driver.command(tick -> 1)))).startsWith(closed);
    }

    private static String answer(Call call) throws Exception {
        try (Given given = new Given(ServiceState.NEW)) {
            return answer(call, given);
        }
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

    private static Row same(String method, Call call, String always) {
        return row(method, call, always, always, always);
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

    private static InputRing offered(Given given) {
        offer(given.service.input());
        return given.service.input();
    }

    private static String done(Runnable call) {
        call.run();
        return "done";
    }

    private static String outcome(CompletableFuture<?> future) throws Exception {
        if (!future.isCompletedExceptionally()) {
            return WAITS;
        }
        Throwable thrown = Await.failure(future);
        Throwable cause = thrown instanceof CompletionException ? Objects.requireNonNull(thrown.getCause()) : thrown;
        return cause.getClass().getSimpleName() + ": " + cause.getMessage();
    }

    private static Set<String> names(Stream<Row> rows) {
        return rows.map(Row::method).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> publicMethods(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getDeclaringClass() != Object.class)
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
