package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.state.Await;
import dev.escapement.state.ChildJvm;
import dev.escapement.state.Logged;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.TickMetric;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a failure is reported once, and that of each kind of error that does not end the service, the first is logged in one line. */
@Timeout(60)
class FailureReportTest {

    private final IllegalStateException cause = new IllegalStateException("bodies overlap");
    private final Logged logged = new Logged("physics");
    private final List<LogRecord> records = logged.records;

    @AfterEach
    void listenNoMore() {
        logged.close();
    }

    @Test
    void shouldLogAFailureOnceAndWhatToDo() throws Exception {
        Thread[] thread = new Thread[1];
        PhysicsService service = builder(ScriptedSimulation.failingFrom(3, cause))
                .name("arena")
                .with(new OnPublish(times -> thread[0] = Thread.currentThread()))
                .start();
        AwaitService.state(service, ServiceState.FAILED);
        assertThat(thread[0].getName()).isEqualTo("escapement-physics-arena");
        assertThat(service.realTimeFactor()).isNaN();
        assertThat(service.failure()).containsSame(cause);
        assertThat(service).asString().contains("[FAILED, ", " at 2000 Hz, ", "p50 / p99 in ms: late ");
        service.close();
        service.close();
        assertThat(records).hasSize(1);
        LogRecord record = records.get(0);
        assertThat(record.getLevel()).isEqualTo(Level.SEVERE);
        assertThat(record.getThrown()).isSameAs(cause);
        assertThat(record.getMessage())
                .startsWith("The physics service 'arena' ")
                .contains("failed after tick 2", "firstTick(3)", "onFailure(...)");
    }

    @Test
    void shouldLogWhatTheCloseFailedWith() throws Exception {
        PhysicsService service = builder(new ScriptedSimulation(tick -> {}, () -> {
                    throw cause;
                }))
                .start();
        AwaitService.tickAfter(service, 1);
        service.close();
        assertThat(service.state()).isEqualTo(ServiceState.FAILED);
        assertThat(service.failure()).containsSame(cause);
        assertThat(records).extracting(LogRecord::getThrown).containsExactly(cause);
    }

    @Test
    void shouldReportTheHandlerInsteadWhichMayStartAnotherService() throws Exception {
        CountDownLatch secondTicks = new CountDownLatch(10);
        Simulation second = new ScriptedSimulation(tick -> secondTicks.countDown());
        CompletableFuture<PhysicsService> started = new CompletableFuture<>();
        List<Throwable> reported = new CopyOnWriteArrayList<>();
        PhysicsService[] service = new PhysicsService[1];
        service[0] = builder(ScriptedSimulation.failingFrom(3, cause))
                .onFailure(failure -> {
                    reported.add(failure);
                    service[0].close();
                    started.complete(builder(second)
                            .firstTick(service[0].lastPublishedTick() + 1)
                            .start());
                })
                .build();
        service[0].start();
        secondTicks.await();
        started.join().close();
        assertThat(reported).containsExactly(cause);
        assertThat(service[0].state()).isEqualTo(ServiceState.FAILED);
        assertThat(started.join().state()).isEqualTo(ServiceState.CLOSED);
        assertThat(records).extracting(LogRecord::getMessage).isEmpty();
    }

    @Test
    void shouldWarnOfAServiceThatMainLeavesOpen() throws Exception {
        assertThat(ChildJvm.output("-XX:TieredStopAtLevel=1", Main.class, "forget"))
                .contains("Escapement: The physics service of", " and 2 more were not closed", "daemons")
                .as("one line for all services")
                .containsOnlyOnce("Escapement: ");
        for (String noOversight : List.of("exit", "exit later")) {
            assertThat(ChildJvm.output("-XX:TieredStopAtLevel=1", Main.class, noOversight))
                    .as(noOversight)
                    .isEmpty();
        }
    }

    @Test
    void shouldTickOnAJavaRuntimeWithoutJfr() throws Exception {
        assertThat(ChildJvm.output("--limit-modules=java.logging,java.management,jdk.unsupported", Main.class, "tick"))
                .isEqualTo("3 ticks");
    }

    /** The thread's running time and a debugger stay unknown; the watchdog and the rows of ticks work. */
    @Test
    void shouldTickOnAJavaRuntimeWithoutManagement() throws Exception {
        assertThat(ChildJvm.output("--limit-modules=java.logging,jdk.unsupported", Main.class, "count"))
                .isEqualTo("3 ticks, the last ran -1 ns");
    }

    /** A game whose {@code main} returns at once, without closing its service, or ticks on its own thread. */
    static final class Main {

        public static void main(String[] args) {
            if (args[0].equals("tick")) {
                ManualClock clock = new ManualClock(0);
                try (InlineDriver driver = builder(ScriptedSimulation.good())
                        .rate(TickRate.hertz(100))
                        .inline(clock)) {
                    clock.advance(30_000_000);
                    System.out.println(driver.runDueTicks() + " ticks");
                }
                return;
            }
            if (args[0].equals("count")) {
                ManualClock clock = new ManualClock(0);
                try (InlineDriver driver = builder(ScriptedSimulation.good())
                        .rate(TickRate.hertz(100))
                        .watchdog(2_000)
                        .inline(clock)) {
                    MetricRing<TickMetric>.Reader rows = driver.tickMetrics().newReader();
                    clock.advance(30_000_000);
                    int ticks = driver.runDueTicks();
                    while (rows.next()) {} // to the last row
                    System.out.println(ticks + " ticks, the last ran " + rows.get(TickMetric.RAN_NANOS) + " ns");
                }
                return;
            }
            if (args[0].equals("hang")) {
                PhysicsService hung = builder(new ScriptedSimulation(tick -> new CountDownLatch(1).await()))
                        .watchdog(1000)
                        .watchdog(80)
                        .build();
                System.out.println("starts");
                hung.start();
                Await.until(() -> hung.state() == ServiceState.FAILED);
                System.out.println(hung.failure().orElseThrow());
                hung.close();
                return;
            }
            for (int service = 0; service < 3; service++) {
                builder(ScriptedSimulation.good()).start();
            }
            if (args[0].equals("exit")) {
                System.exit(0);
            }
            if (args[0].equals("exit later")) { // as a signal does: from another thread, and main has returned
                new Thread(() -> {
                            Await.until(() -> Thread.getAllStackTraces().keySet().stream()
                                    .anyMatch(thread -> thread.getName().equals("DestroyJavaVM")));
                            System.exit(0);
                        })
                        .start();
            }
        }
    }

    private static PhysicsServiceBuilder builder(Simulation simulation) {
        return PhysicsService.builder(simulation).rate(TickRate.hertz(2000));
    }

    @Test
    void shouldNameTheFirstBodyWhosePoseIsNotFinite() {
        ManualClock clock = new ManualClock(0);
        Simulation simulation = new ScriptedSimulation(tick -> {}) {
            private long tick;

            @Override
            public void capture(PoseWriter poses) {
                if (tick++ == 0) {
                    poses.spawn(5);
                    poses.spawn(77);
                }
                poses.set(0, 0, 0, 0, 0, 0, 0, 1);
                poses.set(1, tick < 3 ? 0 : Float.NaN, 0, 0, 0, 0, 0, 1);
            }
        };
        try (InlineDriver driver = PhysicsService.builder(simulation).inline(clock)) {
            clock.advance(TickRate.hertz(100).nanosAt(100));
            driver.runDueTicks(Integer.MAX_VALUE);
            assertThat(driver.quarantinedPoses()).isEqualTo(98);
        }
        assertThat(onlyLine())
                .contains(
                        "the pose of body 1#1 (user data 77) in tick 3",
                        "Thread '" + Thread.currentThread().getName() + "'",
                        "quarantinedPoses()");
    }

    @Test
    void shouldNameTheFirstCommandThatThrowsAndCountOthers() throws Exception {
        try (PhysicsService service = builder(new PushedMasses(1)).start()) {
            for (int i = 0; i < 100; i++) {
                CompletableFuture<?> failing = service.command(tick -> {
                    throw new IllegalStateException("no room\n for it");
                });
                assertThat(Await.failure(failing)).hasMessageStartingWith("no room");
            }
            assertThat(service.failedCommands()).isEqualTo(100);
        }
        assertThat(onlyLine())
                .contains(
                        "thread 'escapement-physics'",
                        "one of the commands (a lambda of " + FailureReportTest.class.getName() + ")",
                        "java.lang.IllegalStateException: no room for it",
                        "(FailureReportTest.java:",
                        "failedCommands()");
    }

    @Test
    void shouldReportOfACommandThatBlocksWhileItDoes() throws Exception {
        CountDownLatch letGo = new CountDownLatch(1);
        try (PhysicsService service = builder(ScriptedSimulation.good()).start()) {
            CompletableFuture<?> blocking = service.command(tick -> {
                Await.open(letGo);
                return tick;
            });
            Await.until(() -> !records.isEmpty());
            assertThat(service.state()).isEqualTo(ServiceState.RUNNING);
            assertThat(blocking).isNotDone();
            assertThat(onlyLine())
                    .contains(
                            "thread 'escapement-physics' has been in one of the commands (a lambda of "
                                    + FailureReportTest.class.getName() + ") for 1 s, at ",
                            "Await.open(Await.java:",
                            "watchdog(...)");
            letGo.countDown();
            Await.get(blocking);
        } finally {
            letGo.countDown();
        }
    }

    /** The process has several watchdogs, and says it once. */
    @Test
    void shouldWarnOfAWatchdogWhereADebuggerMayAttach() throws Exception {
        String debugger = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0";
        assertThat(ChildJvm.output(debugger, Main.class, "hang"))
                .containsOnlyOnce("A service has a watchdog")
                .containsSubsequence(
                        "A service has a watchdog; a debugger's breakpoint looks like a hang: switch the watchdog off",
                        "starts",
                        "HungSimulationException: ",
                        "device for 0.08 s; a debugger's breakpoint looks like a hang");
    }

    private String onlyLine() {
        assertThat(records).hasSize(1);
        String line = records.get(0).getMessage();
        assertThat(line).doesNotContain("\n");
        return line;
    }

    @Test
    void shouldSayWhyInWords(@TempDir Path folder) throws IOException {
        assertThat(why(new IOException("No space left on device"))).isEqualTo("No space left on device");
        assertThat(why(new FileSystemException("a", null, "Read-only file system")))
                .isEqualTo("a: Read-only file system");
        assertThat(why(new OutOfMemoryError("save"))).isEqualTo("there is no memory left: save");
        assertThat(why(new OutOfMemoryError())).isEqualTo("there is no memory left");
        assertThat(why(new IOException())).startsWith("java.io.IOException, at ");
        Path file = Files.createFile(folder.resolve("file"));
        assertThat(why(catchThrowable(() -> Files.createFile(file)))).isEqualTo(file + ": file already exists");
        assertThat(why(catchThrowable(() -> Files.delete(folder)))).isEqualTo(folder + ": directory not empty");
        Path no = folder.resolve("no");
        assertThat(why(catchThrowable(() -> Files.size(no)))).isEqualTo(no + ": no such file");
    }

    @Test
    void shouldNameAnExceptionWhoseMessageThrows() {
        Exception thrown = new IOException() {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw cause;
            }
        };
        assertThat(why(thrown))
                .startsWith(thrown.getClass().getName() + ", at " + getClass().getName());
    }

    /** A handler may rethrow the failure that it received. */
    @Test
    void shouldKeepWhatTheHandlerThrows() {
        Error another = new StackOverflowError();
        new FailureReport("The service", FailureReportTest::rethrow, true).report(1, cause);
        assertThat(cause.getSuppressed()).isEmpty();
        new FailureReport("The service", got -> rethrow(another), true).report(1, cause);
        assertThat(cause.getSuppressed()).containsExactly(another);
    }

    private static void rethrow(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) thrown;
    }

    /** A replica refuses {@code firstTick}, so the text must not advise it. */
    @Test
    void shouldAdviseAFirstTickOnlyWhereItIsAccepted() {
        for (boolean continuable : new boolean[] {true, false}) {
            records.clear();
            new FailureReport("The service", null, continuable).report(7, cause);
            assertThat(onlyLine()).contains("Fix the cause below");
            assertThat(onlyLine().contains("from firstTick(8)")).isEqualTo(continuable);
        }
    }

    private static String why(Throwable thrown) {
        return FailureReport.why(thrown);
    }
}
