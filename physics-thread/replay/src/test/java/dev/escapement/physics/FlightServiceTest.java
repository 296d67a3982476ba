package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.replay.FlightReport;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.flight.FlightRecorder;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.ReplayResult;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickFault.Reason;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a service with threads of its own puts aside. */
@Timeout(60)
class FlightServiceTest {

    private static final TickRate RATE = TickRate.hertz(2000);
    private static final RunDescription RUN = new RunDescription("masses", "1", "4", 0, RATE);

    @TempDir
    Path folder;

    /** Of the service that was started last. */
    private FlightRecorder recorder = FlightRecorder.in(Path.of(""), RUN);

    @Test
    void shouldHavePutAFailureAsideBeforeItReportsFailure() throws Exception {
        try (PhysicsService service = start(builder(masses(tick -> {
            if (tick.number() == 40) {
                throw new IllegalStateException("bodies overlap");
            }
        })))) {
            Await.state(service, ServiceState.FAILED);
            assertThat(report().toString())
                    .startsWith("tick 40 threw IllegalStateException (java.lang.IllegalStateException: bodies overlap");
            assertThat(files("ring-")).isEmpty();
        }
        assertThat(InputLog.open(files("flight-").get(0)).repeat(() -> masses(tick -> {})))
                .extracting(ReplayResult::outcome)
                .isEqualTo(ReplayResult.Outcome.RAN_THROUGH);
    }

    @Test
    void shouldPutAHangAside() throws Exception {
        CountDownLatch letGo = new CountDownLatch(1);
        try (PhysicsService service = start(builder(masses(tick -> {
                    if (tick.number() == 40) {
                        Await.open(letGo);
                    }
                }))
                .watchdog(200))) {
            Await.state(service, ServiceState.FAILED);
        }
        assertThat(report().reason()).isEqualTo(Reason.HUNG);
        assertThat(report().tick()).isEqualTo(40);
        assertThat(InputLog.open(files("flight-").get(0)).lastPosition()).isEqualTo(40);
        assertThat(files("ring-")).isEmpty();
        letGo.countDown();
    }

    @Test
    void shouldPutAsideThatADeviceThrew() throws Exception {
        int[] polls = new int[1];
        try (PhysicsService service = start(builder(masses(tick -> {})).source(ring -> {
            if (++polls[0] == 40) {
                throw new IllegalStateException("unplugged");
            }
        }))) {
            Await.state(service, ServiceState.FAILED);
            assertThat(report().detail()).contains("unplugged");
        }
    }

    @Test
    void shouldSaveWhileItTicksOn() throws Exception {
        Path file = folder.resolve("asked.esclog");
        try (PhysicsService service = start(builder(masses(tick -> {})))) {
            Await.tickAfter(service, 20);
            recorder.save(file);
            long saved = InputLog.open(file).lastPosition();
            assertThat(saved).isGreaterThan(20);
            Await.tickAfter(service, saved);
        }
        assertThat(InputLog.open(file).repeat(() -> masses(tick -> {})))
                .hasToString("ran through: the file was asked for, and has no failure");
        assertThat(files("flight-")).isEmpty();
    }

    @Test
    void shouldPutAsideThatAReplicaDiffers() throws Exception {
        Path file = folder.resolve("asked.esclog");
        try (PhysicsService service = start(builder(masses(tick -> {})))) {
            Await.tickAfter(service, 60);
            recorder.save(file);
        }
        PushedMasses other = new PushedMasses(4) {
            @Override
            public void step(Tick tick) {
                push(2, tick.number() == 50 ? 1e-9 : 0, 0, 0);
                super.step(tick);
            }
        };
        try (PhysicsService service = start(builder(other).replay(InputLog.open(file)))) {
            Await.until(() -> !files("flight-").isEmpty());
            assertThat(report().reason()).isEqualTo(Reason.DIFFERED);
            assertThat(report().tick()).isEqualTo(50);
            assertThat(service.hasEnded()).isFalse();
        }
    }

    private interface Step {

        void run(Tick tick);
    }

    private static PushedMasses masses(Step step) {
        return new PushedMasses(4) {
            @Override
            public void step(Tick tick) {
                super.step(tick);
                step.run(tick);
            }
        };
    }

    private static PhysicsServiceBuilder builder(Simulation simulation) {
        return PhysicsService.builder(simulation).rate(RATE).onFailure(failure -> {});
    }

    private PhysicsService start(PhysicsServiceBuilder builder) {
        recorder = FlightRecorder.in(folder, RUN).maxBytes(1 << 20);
        return builder.with(recorder).start();
    }

    private FlightReport report() throws IOException {
        return InputLog.open(files("flight-").get(0)).report().orElseThrow();
    }

    private List<Path> files(String prefix) {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.getFileName().toString().startsWith(prefix)
                            && !file.toString().endsWith(".part"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
