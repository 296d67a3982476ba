package dev.escapement.bench.stress.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PileTest {

    private static final BoxPile PILE = new BoxPile(1000);
    private static final int BOX = 999; // of the highest layer

    private final Snapshot before = pile();
    private final Snapshot after = pile();

    @Test
    void shouldAcceptThePileAsItStartsAndAsItFalls() {
        after.poses().blockOf(BOX).py[BOX] -= 0.15f; // as fast as from the highest place to the floor
        assertThat(isBroken()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(floats = {0.16f, -0.16f, 1e9f, Float.NaN, Float.POSITIVE_INFINITY})
    void shouldFindABoxThatMovesTooFarAlongAnyAxis(float metres) {
        assertThat(isBrokenBy(block -> block.px[BOX] += metres)).isTrue();
        assertThat(isBrokenBy(block -> block.py[BOX] += metres)).isTrue();
        assertThat(isBrokenBy(block -> block.pz[BOX] += metres)).isTrue();
    }

    /** In both ticks, so that it does not move. */
    @Test
    void shouldFindABoxThatHasLeftTheScene() {
        assertThat(isBrokenInBothBy(block -> block.px[BOX] = 20.1f)).isTrue();
        assertThat(isBrokenInBothBy(block -> block.px[BOX] = -20.1f)).isTrue();
        assertThat(isBrokenInBothBy(block -> block.pz[BOX] = 20.1f)).isTrue();
        assertThat(isBrokenInBothBy(block -> block.pz[BOX] = -20.1f)).isTrue();
        assertThat(isBrokenInBothBy(block -> block.py[BOX] = 0.3f)).isTrue();
        assertThat(isBrokenInBothBy(block -> block.py[BOX] = 12.5f)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(floats = {1 + 2e-6f, 1 - 2e-6f, 0, Float.NaN})
    void shouldFindARotationThatIsNone(float w) {
        assertThat(isBrokenBy(block -> block.qw[BOX] = w)).isTrue();
    }

    @Test
    void shouldFindABoxThatIsMissing() {
        after.resize(BOX);
        assertThat(isBroken()).isTrue();
    }

    private boolean isBrokenBy(Consumer<PoseBlock> change) {
        return isBrokenBy(change, after);
    }

    private boolean isBrokenInBothBy(Consumer<PoseBlock> change) {
        return isBrokenBy(change, before, after);
    }

    private boolean isBrokenBy(Consumer<PoseBlock> change, Snapshot... snapshots) {
        PoseBlock good = new PoseBlock();
        good.copyFrom(before.poses().blockOf(BOX), 0, PILE.boxes());
        for (Snapshot snapshot : snapshots) {
            change.accept(snapshot.poses().blockOf(BOX));
        }
        boolean broken = isBroken();
        for (Snapshot snapshot : snapshots) {
            snapshot.poses().blockOf(BOX).copyFrom(good, 0, PILE.boxes());
        }
        return broken;
    }

    private boolean isBroken() {
        Outcome outcome = Tried.of(Promise.PLAUSIBLE, trial -> new Pile(trial, PILE).check(before, after));
        return outcome.foundBroken(Promise.PLAUSIBLE);
    }

    private static Snapshot pile() {
        Snapshot snapshot = new Snapshot(PILE.boxes(), PoseLayout.PLAIN);
        snapshot.resize(PILE.boxes());
        PILE.forEach((box, x, y, z) ->
                snapshot.poses().blockOf(box).set(box & PoseBlock.MASK, (float) x, (float) y, (float) z, 0, 0, 0, 1));
        return snapshot;
    }
}
