package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.PhysicsSystem;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.replay.history.Rewound;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.world.BodyRestorer;
import dev.escapement.physics.world.ExistingWorldSequencesContract;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.snapshot.BodyId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Commands in any order, with rewinds and corrections before they are served. */
class JoltRewindSequencesTest extends ExistingWorldSequencesContract<PhysicsSystem, Body>
        implements JoltContractsTest.Worlds {

    private static final int LATE_TICKS = 20;

    private @Nullable StateHistory history;
    private final List<CompletableFuture<Rewound>> rewinds = new ArrayList<>();

    @Override
    protected PhysicsServiceBuilder builder(SplittableRandom random) {
        StateHistory kept =
                StateHistory.ofTicks(100).every(1 + 3 * random.nextInt(3)).rollBack(LATE_TICKS);
        history = kept;
        ((JoltWorldSimulation) simulation).restoreBodiesWith(new BodyRestorer<>() {
            @Override
            public Body restore(long engineId, long userData) {
                Body crate = game.addBox(-7, 90);
                crates.put(userData, crate);
                return crate;
            }

            @Override
            public void remove(Body body, long userData) {
                crates.remove(userData);
                game.remove(body);
            }
        });
        return super.builder(random).with(kept);
    }

    @Override
    protected boolean keepsLoose() {
        return false; // a state of other loose bodies is refused
    }

    @Override
    protected boolean goesBack() {
        return true;
    }

    @Override
    protected boolean doMore(SplittableRandom random) {
        if (random.nextInt(6) == 0) {
            long lateNanos = Math.max(1, clock.nanoTime() - random.nextInt(LATE_TICKS) * TICK_NANOS + 1);
            DragInput.hold(driver.input(), lateNanos, BodyId.of(random.nextInt(4), 1 + 2 * random.nextInt(3)));
            DragInput.to(driver.input(), lateNanos, random.nextInt(3), random.nextInt(5), 0);
        }
        boolean goes = random.nextInt(6) == 0;
        if (goes) {
            // The tick may be gone by then, or not have run.
            rewinds.add(Objects.requireNonNull(history).rewind(Math.max(0, last - random.nextInt(30))));
        }
        return goes;
    }

    @AfterEach
    void requireRewinds() {
        for (CompletableFuture<Rewound> rewind : rewinds) {
            assertThat(rewind).isDone();
            if (rewind.isCompletedExceptionally()) { // the tick is not kept
                assertThatThrownBy(rewind::join).hasMessageContaining("the run cannot go back to tick");
            }
        }
    }
}
