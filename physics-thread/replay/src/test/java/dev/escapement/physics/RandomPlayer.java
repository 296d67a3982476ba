package dev.escapement.physics;

import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.NanoClock;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Offers random input of every kind, reproducible by its seed. Some of it is late. */
public final class RandomPlayer {

    private static final InputKind[] KINDS =
            Stream.of(InputKind.values()).filter(kind -> kind.hasCode(0)).toArray(InputKind[]::new);

    private final SplittableRandom random;
    private final InputRing ring;
    private final NanoClock clock;

    public RandomPlayer(long seed, InputRing ring, NanoClock clock) {
        random = new SplittableRandom(seed);
        this.ring = ring;
        this.clock = clock;
    }

    public void play() {
        for (int events = random.nextInt(3); events > 0; events--) {
            InputKind kind = KINDS[random.nextInt(KINDS.length)];
            int code = kind == InputKind.APPLICATION ? 1 : random.nextInt(64);
            long timeNanos = clock.nanoTime() - random.nextInt(15_000_000) + 5_000_000;
            ring.offer(timeNanos, kind, code, random.nextInt(100), random.nextFloat());
        }
    }
}
