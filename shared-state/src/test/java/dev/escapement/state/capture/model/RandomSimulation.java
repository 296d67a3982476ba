package dev.escapement.state.capture.model;

import dev.escapement.state.capture.Capture;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Does anything that a simulation may do, in any order. */
public final class RandomSimulation implements Capture.Source {

    private static final int MAX_BODIES = 3000;

    /** Bad poses come in the first half of this many ticks, and are put right for the second. */
    private static final int PHASE = 60;

    private final WorldModel model;
    private final PoseLayout layout;
    private final boolean counts;
    private final SplittableRandom random;
    private final RandomPoses randomPoses;
    private final GivenIds givenIds = new GivenIds();
    private @Nullable RandomReservations reservations;
    private int maxEverUsed;

    /** A simulation that mostly counts its bodies, or one that spawns and despawns them. */
    public RandomSimulation(PoseLayout layout, boolean counts, long seed) {
        this.layout = layout;
        this.counts = counts;
        model = new WorldModel(layout.channels().size());
        random = new SplittableRandom(seed);
        randomPoses = new RandomPoses(random);
    }

    /** From now on ids are reserved, too. */
    RandomReservations reserving(Capture capture) {
        RandomReservations reserving = new RandomReservations(capture, model, givenIds, random);
        reservations = reserving;
        return reserving;
    }

    @Override
    public void capture(PoseWriter poses) {
        model.begin(model.tick() + 1);
        ModelledWriter writer = new ModelledWriter(poses, model, givenIds);
        if (oneIn(8)) {
            return; // nothing moves
        }
        if (oneIn(20)) {
            shiftOrigin(writer);
        }
        if (model.tick() % PHASE == PHASE / 2) {
            model.slots().stream()
                    .filter(slot -> model.body(slot).quarantined)
                    .forEach(slot -> writer.setRun(slot, 1, randomPoses, false));
        }
        if (oneIn(4)) {
            writer.setRun(0, Integer.MAX_VALUE, randomPoses, oneIn(3));
        }
        int steps = oneIn(3) ? 1 : random.nextInt(25);
        for (int i = 0; i < steps; i++) {
            if (oneIn(5)) {
                comeAndGo(writer);
            } else if (model.bodyCount() > 0) {
                report(writer, anyBody());
            }
        }
        setWhatIsNew(writer);
        writer.end();
    }

    /** What the tick was, once it is captured. To be asked after every tick. */
    public Moment moment(Snapshot captured) {
        ModelledWriter.learnIds(model, captured, givenIds);
        return model.end();
    }

    /** Whether some of all the bodies there ever were exist if they do. */
    boolean isRightAboutIds(Bodies bodies) {
        return givenIds.some(random).stream().allMatch(id -> bodies.exists(id) == model.exists(id, BodyId.slot(id)));
    }

    private boolean oneIn(int chances) {
        return random.nextInt(chances) == 0;
    }

    private int anyBody() {
        return model.bodyFrom(random.nextInt(model.slotCount()));
    }

    private void comeAndGo(ModelledWriter writer) {
        if (reservations != null && oneIn(2)) {
            reservations.comeAndGo(writer, MAX_BODIES);
            return;
        }
        if (counts && !oneIn(6)) {
            int near = Math.max(0, model.slotCount() + random.nextInt(-40, 41));
            writer.count(oneIn(3) ? random.nextInt(MAX_BODIES) : near);
            return;
        }
        if (counts) {
            despawn(writer, random.nextInt(3));
            spawn(writer, oneIn(3) ? 1 : model.slotCount() - model.bodyCount() + 1); // mostly no gap is left
            return;
        }
        switch (random.nextInt(12)) {
            case 0 -> spawn(writer, random.nextInt(900));
            case 1, 2, 3 -> spawn(writer, random.nextInt(20));
            case 4 -> spawn(writer, oneIn(4) ? maxEverUsed - model.bodyCount() : 5); // the former leaves no gaps
            case 5 -> despawnFrom(writer, random.nextInt(MAX_BODIES));
            case 6 -> model.slots().stream().filter(slot -> oneIn(4)).forEach(writer::despawn);
            case 7, 8 -> {
                despawn(writer, 1);
                spawn(writer, 1); // takes the same slot
            }
            default -> despawn(writer, random.nextInt(8));
        }
    }

    private void spawn(ModelledWriter writer, int count) {
        for (int i = 0; i < count && model.bodyCount() < MAX_BODIES; i++) {
            maxEverUsed = Math.max(maxEverUsed, 1 + writer.spawn(random.nextLong()));
        }
    }

    private void despawn(ModelledWriter writer, int count) {
        for (int i = 0; i < count && model.bodyCount() > 0; i++) {
            writer.despawn(anyBody());
        }
    }

    private void despawnFrom(ModelledWriter writer, int first) {
        model.slots().stream().filter(slot -> slot >= first).forEach(writer::despawn);
    }

    private void shiftOrigin(ModelledWriter writer) {
        List<Double> now = model.origin();
        writer.origin(
                oneIn(3) ? now.get(0) : now.get(0) + random.nextInt(-2000, 2000),
                oneIn(3) ? now.get(1) : random.nextDouble(-100, 100),
                oneIn(3) ? now.get(2) : random.nextDouble() - now.get(2));
    }

    private void report(ModelledWriter writer, int slot) {
        if (!writer.has(slot)) {
            return;
        }
        boolean written = model.isWritten(slot);
        switch (random.nextInt(13)) {
            case 0, 1 -> writer.setRun(slot, 1, randomPoses, oneIn(3));
            case 2, 3 -> writer.setRun(slot, random.nextInt(60), randomPoses, oneIn(3));
            case 4 -> writer.setRun(slot & -PoseBlock.CAPACITY, PoseBlock.CAPACITY, randomPoses, oneIn(3));
            case 5 -> writer.setRun(0, MAX_BODIES, randomPoses, oneIn(3));
            case 6, 7 -> {
                if (written) {
                    writer.setAgain(slot);
                } else {
                    writer.set(slot, randomPoses.place(), randomPoses.rotation(oneIn(3)));
                }
            }
            case 8 -> {
                if (!written && model.tick() % PHASE < PHASE / 2) {
                    writer.setBad(slot, random.nextBoolean());
                }
            }
            case 9 -> writer.teleport(slot);
            case 10 -> {
                for (int jumper : new int[] {slot, anyBody(), slot}) {
                    if (writer.has(jumper) && oneIn(2)) {
                        writer.teleportBy(jumper, randomPoses.place());
                    }
                }
            }
            case 11 -> writer.blended(slot, random.nextBoolean());
            default -> channels(writer, slot);
        }
    }

    private void channels(ModelledWriter writer, int slot) {
        for (int channel = 0; channel < layout.channels().size(); channel++) {
            writer.channel(slot, channel, random.nextInt(1000));
        }
    }

    /** Every new body needs a pose in its first tick. */
    private void setWhatIsNew(ModelledWriter writer) {
        for (int slot : model.slots()) {
            if (writer.has(slot) && model.body(slot).spawnTick == model.tick()) {
                writer.setRun(slot, oneIn(2) ? 1 : 100, randomPoses, oneIn(3));
            }
        }
    }
}
