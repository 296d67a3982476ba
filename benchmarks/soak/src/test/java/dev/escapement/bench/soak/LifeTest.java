package dev.escapement.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.stress.ledger.Failing;
import dev.escapement.bench.stress.ledger.Polling;
import dev.escapement.bench.stress.ledger.Worker;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.state.time.TickRate;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LifeTest {

    private static final double LONG_SECONDS = 600;
    private static final int LOOKS = 100;

    private static Life start(Path folder) {
        Trial trial = new Trial(new Scenario("test", "", StressRun.promises(), unused -> {}), 1, null);
        LifePlan plan = LifePlan.draw(7, 1, 1, EnumSet.noneOf(StormPart.class), LONG_SECONDS);
        StressRun.World world = new StressRun.World("swing", SwingWorld::new, TickRate.hertz(100));
        Life life = new Life(trial, plan, world, new Measures(), new Notes(), folder, null);
        life.start();
        return life;
    }

    /** A part that has done nothing when a life ends may have had no core. */
    @Test
    void shouldEndWhenEachPartHasWorked(@TempDir Path folder) {
        Life life = start(folder);
        AtomicInteger looks = new AtomicInteger();
        life.storm.add(new Failing() {
            @Override
            public Optional<Throwable> failure() {
                return Optional.empty();
            }

            @Override
            public boolean hasWorked() {
                return looks.incrementAndGet() > LOOKS;
            }

            @Override
            public void close() {
                assertThat(looks).hasValueGreaterThan(LOOKS);
            }
        });
        var unused = life.end(() -> false);
        assertThat(looks).hasValueGreaterThan(LOOKS);
        assertThat(life.failure()).isEmpty();
    }

    @Test
    void shouldBeOverWhenAPartOfTheStormHasThrown(@TempDir Path folder) {
        Life life = start(folder);
        assertThat(Polling.await(() -> life.ticks() > 0)).isTrue();
        life.look();
        assertThat(life.isOver()).isFalse();
        life.storm.add(Worker.start(1, "storm-planted", (self, i) -> {
            throw new IllegalStateException("planted");
        }));
        assertThat(Polling.await(() -> {
                    life.look();
                    return life.isOver();
                }))
                .isTrue();
        var unused = life.end(() -> false);
        assertThat(life.failure()).contains("storm-planted", "planted", "life 1");
    }
}
