package dev.escapement.state.capture.model;

import dev.escapement.state.capture.Capture;
import dev.escapement.state.snapshot.BodyId;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Reserves ids between the ticks and within them, and spawns their bodies later, or does not. */
final class RandomReservations {

    private final Capture capture;
    private final WorldModel model;
    private final GivenIds givenIds;
    private final SplittableRandom random;
    private final List<Long> reserved = new ArrayList<>();
    private int spawned;
    private int notSpawned;

    RandomReservations(Capture capture, WorldModel model, GivenIds givenIds, SplittableRandom random) {
        this.capture = capture;
        this.model = model;
        this.givenIds = givenIds;
        this.random = random;
    }

    /** Between two ticks. */
    void live() {
        reserve(random.nextInt(3) == 0 ? random.nextInt(150) : random.nextInt(4));
        for (int i = random.nextInt(3); i > 0 && !reserved.isEmpty(); i--) {
            capture.release(any());
            notSpawned++;
            if (random.nextInt(4) == 0) {
                capture.freeReleased(); // as while time stands still; what is reserved next may be the same slot
                reserve(random.nextInt(3));
            }
        }
    }

    /** Within a tick. */
    void comeAndGo(ModelledWriter writer, int maxBodies) {
        reserve(random.nextInt(3));
        int count = random.nextInt(3) == 0 ? reserved.size() : random.nextInt(5);
        for (int i = 0; i < count && !reserved.isEmpty(); i++) {
            if (random.nextInt(6) == 0) {
                writer.release(any());
                notSpawned++;
            } else if (model.bodyCount() < maxBodies) {
                writer.spawnReserved(any(), random.nextLong());
                spawned++;
            }
        }
    }

    /** Whether every way that an id can go was gone. */
    boolean wereUsed() {
        return spawned > 100 && notSpawned > 100;
    }

    private void reserve(int count) {
        for (int i = 0; i < count; i++) {
            long id = capture.reserve();
            int slot = BodyId.slot(id);
            givenIds.add(id, slot);
            if (model.exists(slot) || reserved.stream().anyMatch(other -> BodyId.slot(other) == slot)) {
                throw new AssertionError("slot " + slot + " was reserved and is taken");
            }
            reserved.add(id);
        }
    }

    private long any() {
        return reserved.remove(random.nextInt(reserved.size()));
    }
}
