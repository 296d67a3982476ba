package dev.escapement.state.capture.model;

import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import java.util.Optional;
import java.util.SplittableRandom;

/** Attaches, acquires now and then, holds on, detaches. */
final class RandomReader {

    private final CapturedWorld world;
    private final SplittableRandom random;
    private final int ticksPerLook;
    private Optional<SnapshotReader> reader = Optional.empty();

    RandomReader(CapturedWorld world, SplittableRandom random, int ticksPerLook) {
        this.world = world;
        this.random = random;
        this.ticksPerLook = ticksPerLook;
    }

    void live() {
        if (reader.isEmpty()) {
            reader = random.nextInt(5) == 0 ? Optional.of(world.newReader()) : reader;
        } else if (random.nextInt(60) == 0) {
            reader.get().close();
            reader = Optional.empty();
        } else if (random.nextInt(ticksPerLook) == 0) {
            reader.get().acquire();
        }
    }

    Optional<Window> window() {
        return reader.filter(SnapshotReader::hasWindow).map(SnapshotReader::window);
    }
}
