package dev.escapement.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.stress.ledger.Polling;
import dev.escapement.bench.stress.ledger.Worker;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.state.time.TickRate;
import java.nio.file.Path;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LifeTest {

    private static final double LONG_SECONDS = 600;

    @Test
    void shouldBeOverWhenAPartOfTheStormHasThrown(@TempDir Path folder) {
        Trial trial = new Trial(new Scenario("test", "", StressRun.promises(), unused -> {}), 1, null);
        LifePlan plan = LifePlan.draw(7, 1, 1, EnumSet.noneOf(StormPart.class), LONG_SECONDS);
        StressRun.World world = new StressRun.World("swing", SwingWorld::new, TickRate.hertz(100));
        Life life = new Life(trial, plan, world, new Measures(), new Notes(), folder, null);
        life.start();
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
