package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.SkippedException;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.Promises;
import dev.escapement.bench.stress.world.WatchedService;
import dev.escapement.physics.jolt.JoltSimulation;
import dev.escapement.physics.jolt.UnsupportedPlatformException;
import dev.escapement.physics.scene.BoxPile;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Locale;
import java.util.Set;

/** A real engine: boxes that fall on a heap, in Jolt. Nobody knows where they come to lie, but how boxes can lie is known. */
final class Pile implements Scenario {

    private static final long FPS = 144;
    private static final float LOWEST_METRES = -0.1f;
    private static final float SQUARED_LENGTH_ERROR = 1e-4f;
    private static final double GOOD_LOSS_PERCENT = 0.1;
    private static final double FAIR_LOSS_PERCENT = 2;

    private final int boxes;

    Pile(int boxes) {
        this.boxes = boxes;
    }

    @Override
    public String name() {
        return "pile-" + boxes;
    }

    @Override
    public String says() {
        return String.format(Locale.ROOT, "%,d boxes fall on a heap in Jolt", boxes);
    }

    @Override
    public Set<Promise> promises() {
        return Promises.ofReaders(Promise.ACCOUNTED);
    }

    @Override
    public void run(Trial trial) throws SkippedException {
        JoltSimulation pile;
        try {
            pile = new JoltSimulation(new BoxPile(boxes));
        } catch (UnsupportedPlatformException e) {
            throw new SkippedException(String.valueOf(e.getMessage()));
        }
        try (WatchedService service = WatchedService.start(trial, pile, builder -> builder.preallocate(boxes))) {
            service.readBy(this::canBe, FPS);
            service.awaitEnd();
            trial.figure(Figure.graded(
                    "time given up",
                    100 * (1 - service.service().timeFactor()),
                    "%",
                    GOOD_LOSS_PERCENT,
                    FAIR_LOSS_PERCENT,
                    "simulate fewer bodies, or tick less often ('machine --ramp' finds what holds)"));
        }
    }

    private boolean canBe(Snapshot snapshot) {
        for (int box = 0; box < boxes; box++) {
            PoseBlock block = snapshot.poses().blockOf(box);
            int i = box & PoseBlock.MASK;
            float squared = block.qx[i] * block.qx[i]
                    + block.qy[i] * block.qy[i]
                    + block.qz[i] * block.qz[i]
                    + block.qw[i] * block.qw[i];
            boolean finite = Float.isFinite(block.px[i] + block.py[i] + block.pz[i]);
            if (!finite || block.py[i] < LOWEST_METRES || Math.abs(squared - 1) > SQUARED_LENGTH_ERROR) {
                return false;
            }
        }
        return snapshot.poses().slotCount() == boxes;
    }
}
