package dev.escapement.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.soak.Neighbour.Kind;
import dev.escapement.bench.stress.ledger.Polling;
import dev.escapement.bench.stress.trial.Check;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.PhysicsService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NeighbourTest {

    private final Trial trial = new Trial(StressRun.promises(), null);
    private final Check oneByOne = trial.check(Promise.WORLDS_ONE_BY_ONE);
    private final Check leaves = trial.check(Promise.WORLDS_LEAVE);

    private Neighbour neighbour(Kind kind) {
        return new Neighbour(new SwingWorld(), kind, 1, trial);
    }

    @Test
    void shouldFindASecondThreadInAWorld() {
        Neighbour world = neighbour(Kind.HANGS);
        try (PhysicsService physics = PhysicsService.start(world)) {
            assertThat(Polling.await(() -> world.ticks.get() == 1)).isTrue();
            assertThat(oneByOne.broken()).isZero();
            world.close();
            assertThat(oneByOne.example()).contains("called close of a hangs world");
            world.release();
            assertThat(physics.hasEnded()).isFalse();
        }
    }

    @Test
    void shouldFindASecondClose() {
        Neighbour world = neighbour(Kind.GOOD);
        world.close();
        assertThat(leaves.checked()).isEqualTo(1);
        assertThat(leaves.broken()).isZero();
        world.close();
        assertThat(leaves.example()).contains("closed 2 times");
    }
}
