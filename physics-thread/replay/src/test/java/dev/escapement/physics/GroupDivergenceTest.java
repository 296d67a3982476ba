package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.Divergence;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a replay of 200 bodies says of a difference if the log has hashes of groups only. */
class GroupDivergenceTest {

    private static final RunDescription RUN = new RunDescription("spring", "1", "200", 4, TickRate.hertz(100));
    private static final int TICKS = 20;

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"0, 0", "63, 0", "64, 64", "137, 128", "199, 192"})
    void shouldNameTheFirstTickAndGroup(int body, int first) throws IOException {
        Divergence divergence = replay(new PushedMasses(200) {
                    @Override
                    public void step(Tick tick) {
                        super.step(tick);
                        if (tick.number() == 13) {
                            push(body, 0, 1e-12, 0);
                        }
                    }
                })
                .orElseThrow();
        assertThat(divergence.tick()).isEqualTo(13);
        assertThat(divergence.group()).isEqualTo(first / Divergence.GROUP_BODIES);
        assertThat(divergence.body()).isEqualTo(Divergence.UNKNOWN);
        assertThat(divergence.component()).isEmpty();
        assertThat(divergence.toString())
                .endsWith(", first at bodies " + first + " to " + (first + 63) + "; a log with digests names the body");
    }

    /** Of a group that has lost some of its bodies, no log knows a hash. */
    @ParameterizedTest
    @CsvSource({"128, 2, 128", "130, 2, -1", "200, -1, -1", "201, 3, 200"})
    void shouldNameWhatTheLogKnowsOfMissingBodies(int bodies, int group, int body) throws IOException {
        Optional<Divergence> divergence = replay(new PushedMasses(bodies));
        assertThat(divergence.map(Divergence::group).orElse(Divergence.UNKNOWN)).isEqualTo(group);
        assertThat(divergence.map(Divergence::body).orElse(Divergence.UNKNOWN)).isEqualTo(body);
    }

    private Optional<Divergence> replay(Simulation simulation) throws IOException {
        Path file = folder.resolve("run");
        try (Recording recording = Recording.create(file, RUN)) {
            run(PhysicsService.builder(new PushedMasses(200)).with(recording));
        }
        return run(PhysicsService.builder(simulation).replay(InputLog.open(file)));
    }

    private static Optional<Divergence> run(PhysicsServiceBuilder builder) {
        ManualClock clock = new ManualClock(0);
        try (InlineDriver driver = builder.inline(clock)) {
            clock.advance(RUN.rate().nanosAt(TICKS));
            driver.runDueTicks();
            return driver.divergence();
        }
    }
}
