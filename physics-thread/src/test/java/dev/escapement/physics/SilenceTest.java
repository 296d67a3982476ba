package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.PushedMasses.Push;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.Logged;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Errors that do not end the service are logged: the first of each kind, in one line. */
@Timeout(60)
class SilenceTest {

    private static final PoseLayout LAYOUT = new PoseLayout(List.of(new Channel("heat", Channel.Blending.LINEAR)));

    private final Logged logged = new Logged("physics");

    @AfterEach
    void listenNoMore() {
        logged.close();
    }

    static Stream<Arguments> notFinite() {
        float nan = Float.NaN;
        return Stream.of(
                of("the pose", poses -> poses.set(1, nan, 0, 0, 0, 0, 0, 1)),
                of("the pose", poses -> poses.set(1, 0, 1e19f, 0, 0, 0, 0, 1)),
                of("the pose", poses -> poses.set(1, 0, 0, 0, 0, 0, 0, Float.NEGATIVE_INFINITY)),
                of(
                        "the rotation (0.0, 0.5, 0.0, 0.0), whose length is 0.5,",
                        poses -> poses.set(1, 0, 0, 0, 0, 0.5f, 0, 0)),
                of("the angular velocity", poses -> resting(poses).angularVelocity(1, 0, 0, nan)),
                of("the channel 0", poses -> resting(poses).channel(1, 0, nan)));
    }

    private static Arguments of(String what, Consumer<PoseWriter> bad) {
        return Arguments.of(what, bad);
    }

    private static PoseWriter resting(PoseWriter poses) {
        poses.set(1, 0, 0, 0, 0, 0, 0, 1);
        return poses;
    }

    @ParameterizedTest
    @MethodSource("notFinite")
    void shouldNameTheFirstBodyWhosePoseIsNotFinite(String what, Consumer<PoseWriter> bad) {
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
                if (tick < 3) {
                    resting(poses);
                } else {
                    bad.accept(poses);
                }
            }
        };
        try (InlineDriver driver =
                PhysicsService.builder(simulation).layout(LAYOUT).inline(clock)) {
            clock.advance(TickRate.hertz(100).nanosAt(100));
            driver.runDueTicks(Integer.MAX_VALUE);
            assertThat(driver.quarantinedPoses()).isEqualTo(98);
        }
        assertThat(onlyLine())
                .contains(
                        what + " of body 1#1 (user data 77) in tick 3",
                        "Thread '" + Thread.currentThread().getName() + "'",
                        "quarantinedPoses()");
    }

    @Test
    void shouldNameTheFirstCommandThatThrowsAndCountTheOthers() throws Exception {
        try (PhysicsService service = service(new PushedMasses(1))) {
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
                        "one of the commands (a lambda of " + SilenceTest.class.getName() + ")",
                        "java.lang.IllegalStateException: no room for it",
                        "(SilenceTest.java:",
                        "failedCommands()");
    }

    @Test
    void shouldNameTheTypeOfACommandThatIsDataAndTheFirstQueryToo() throws Exception {
        CommandHandlers handlers = new CommandHandlers().on(Push.TYPE, (tick, push) -> {
            throw new IllegalStateException("no mass " + push.body());
        });
        Simulation simulation = new ScriptedSimulation(tick -> {}) {
            @Override
            public CommandHandlers commands() {
                return handlers;
            }
        };
        try (PhysicsService service = service(simulation)) {
            for (int i = 0; i < 3; i++) {
                Await.failure(service.command(Push.TYPE, new Push(7, 1)));
                Await.failure(service.query(tick -> {
                    throw new Unprintable();
                }));
            }
            assertThat(service.failedCommands()).isEqualTo(6);
        }
        assertThat(logged.records).hasSize(2);
        assertThat(logged.records.get(0).getMessage())
                .contains(
                        "one of the commands (type 'push' version 1)",
                        "java.lang.IllegalStateException: no mass 7, at ");
        assertThat(logged.records.get(1).getMessage()).contains(Unprintable.class.getName());
    }

    private static final class Unprintable extends RuntimeException {

        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("not even a message");
        }
    }

    static Stream<Arguments> waits() {
        return Stream.<Wait>of(
                        CompletableFuture::join,
                        CompletableFuture::get,
                        future -> future.get(1, TimeUnit.HOURS),
                        future -> future.thenApply(Answer::value).join(),
                        future -> future.handle((answer, thrown) -> answer)
                                .thenAccept(answer -> {})
                                .get())
                .map(Arguments::of);
    }

    private interface Wait {

        Object of(CompletableFuture<Answer<Long>> future) throws Exception;
    }

    /** It would wait for ever: the other one runs after this one. */
    @ParameterizedTest
    @MethodSource("waits")
    void shouldRefuseToWaitForACommandThatRunsLater(Wait wait) throws Exception {
        try (PhysicsService service = service(ScriptedSimulation.good())) {
            assertThat(Await.failure(service.command(tick -> wait.of(service.command(now -> now)))))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("thread 'escapement-physics' would wait for itself");
            assertThat(Await.failure(service.command(tick -> wait.of(service.query(now -> now)))))
                    .hasMessageContaining("would wait for itself");
            assertThat(Await.failure(service.query(tick -> wait.of(service.command(now -> now)))))
                    .hasMessageContaining("would wait for itself");
            wait.of(service.command(tick -> tick)); // on another thread
        }
    }

    @Test
    void shouldRefuseAStepThatWaitsForACommand() throws Exception {
        CompletableFuture<PhysicsService> built = new CompletableFuture<>();
        PhysicsService service = PhysicsService.builder(new ScriptedSimulation(
                        tick -> built.join().command(now -> now).join()))
                .onFailure(failure -> {})
                .build();
        built.complete(service);
        service.start();
        Await.state(service, ServiceState.FAILED);
        assertThat(service.failure().orElseThrow()).hasMessageContaining("would wait for itself");
        service.close();
    }

    /** Its answer is on its way, by another thread. */
    @Test
    void shouldLetACommandWaitForOneThatRanBefore() throws Exception {
        try (PhysicsService service = service(ScriptedSimulation.good())) {
            for (int i = 0; i < 1000; i++) {
                CompletableFuture<Answer<Integer>> first = service.command(tick -> 7);
                assertThat(Await.get(service.command(tick -> first.join().value()))
                                .value())
                        .isEqualTo(7);
            }
        }
    }

    @Test
    void shouldReportOfACommandThatBlocksWhileItDoes() throws Exception {
        CountDownLatch letGo = new CountDownLatch(1);
        try (PhysicsService service = service(ScriptedSimulation.good())) {
            CompletableFuture<?> blocking = service.command(tick -> {
                Await.open(letGo);
                return tick;
            });
            Await.until(() -> !logged.records.isEmpty());
            assertThat(service.state()).isEqualTo(ServiceState.RUNNING);
            assertThat(blocking).isNotDone();
            assertThat(onlyLine())
                    .contains(
                            "thread 'escapement-physics' has been in one of the commands (a lambda of "
                                    + SilenceTest.class.getName() + ") for 1 s, at ",
                            "Await.open(Await.java:",
                            "watchdog(...)");
            letGo.countDown();
            Await.get(blocking);
        } finally {
            letGo.countDown();
        }
    }

    private String onlyLine() {
        assertThat(logged.records).hasSize(1);
        String line = logged.records.get(0).getMessage();
        assertThat(line).doesNotContain("\n");
        return line;
    }

    private static PhysicsService service(Simulation simulation) {
        return PhysicsService.builder(simulation).rate(TickRate.hertz(2000)).start();
    }
}
