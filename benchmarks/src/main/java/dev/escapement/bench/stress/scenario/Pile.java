package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.JoltPile;
import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.SkippedException;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.PileBounds;
import dev.escapement.bench.stress.world.Promises;
import dev.escapement.bench.stress.world.WatchedService;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import java.util.Locale;
import java.util.Set;

/** A real engine: boxes that fall on a heap, in Jolt. Nobody knows where they come to lie, but how boxes can lie is known. */
final class Pile implements Scenario {

    private static final long FPS = 144;
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
        return Promises.ofReadersWithoutModel(Promise.ACCOUNTED, Promise.PLAUSIBLE);
    }

    @Override
    public void run(Trial trial) throws SkippedException {
        BoxPile start = new BoxPile(boxes);
        JoltPile pile;
        try {
            pile = new JoltPile(start);
        } catch (UnsupportedPlatformException e) {
            throw new SkippedException(String.valueOf(e.getMessage()));
        }
        try (WatchedService service = WatchedService.start(trial, pile, builder -> builder.preallocate(boxes))) {
            service.readBy(snapshot -> true, FPS, new PileBounds(trial, start));
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
}
