package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.Logged;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that errors which do not end the service are logged: the first of each kind, in one line. */
@Timeout(60)
class SilenceTest {

    private final Logged logged = new Logged("physics");

    @AfterEach
    void listenNoMore() {
        logged.close();
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
