package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.simulation.HungSimulationException;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.time.TickRate;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that the watchdog abandoned in user code have no effect when they come back. */
@Timeout(60)
class ServiceAbandonTest {

    private static final int LAST_GOOD_TICK = 6;

    private final CountDownLatch letGo = new CountDownLatch(1);

    @AfterEach
    void letGo() {
        letGo.countDown();
    }

    /** The log lacks a tick whose hash came after its abandonment, because no reader saw that tick. */
    @Test
    void shouldRecordNoTickWhoseHashComesAfterItsAbandonment(@TempDir Path folder) throws Exception {
        ScriptedSimulation comesBack = new ScriptedSimulation(tick -> {}) {
            private int hashed;

            @Override
            public long hash() {
                if (++hashed > LAST_GOOD_TICK) {
                    Await.open(letGo);
                }
                return hashed;
            }
        };
        Path file = folder.resolve("run");
        RunDescription run = new RunDescription("scripted", "1", "", 0, TickRate.hertz(2000));
        try (Recording recording = Recording.create(file, run)) {
            PhysicsService service = watched(comesBack).with(recording).start();
            Await.state(service, ServiceState.FAILED);
            letGo.countDown();
            comesBack.closed.await();
            service.close();
        }
        assertThat(InputLog.open(file).ticks()).isEqualTo(LAST_GOOD_TICK);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldAbandonASourceOfTicksThatHangs(boolean ready) throws Exception {
        TickSource source = new TickSource() {
            @Override
            public boolean isReady() {
                return ready;
            }

            @Override
            public void poll() {
                Await.open(letGo);
            }

            @Override
            public void take(long tick) {
                Await.open(letGo);
            }

            @Override
            public InputFrame input(long fromNanos, long dueNanos) {
                throw new AssertionError("no tick was taken");
            }
        };
        ScriptedSimulation good = ScriptedSimulation.good();
        PhysicsService service = watched(good).follow(new RunOf(source)).start();
        Await.state(service, ServiceState.FAILED);
        assertThat(service.failure()).containsInstanceOf(HungSimulationException.class);
        letGo.countDown();
        good.closed.await();
        service.close();
    }

    private record RunOf(TickSource source) implements TickSource.Run {

        @Override
        public TickRate rate() {
            return TickRate.hertz(2000);
        }

        @Override
        public TickSource open(Simulation simulation) {
            return source;
        }
    }

    private static PhysicsServiceBuilder watched(Simulation simulation) {
        return PhysicsService.builder(simulation).rate(TickRate.hertz(2000)).watchdog(80);
    }
}
