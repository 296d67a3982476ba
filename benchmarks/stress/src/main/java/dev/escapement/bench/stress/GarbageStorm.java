package dev.escapement.bench.stress;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

final class GarbageStorm extends StormThreads {

    private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int GARBAGE_BYTES = 1 << 15;
    private static final int KEPT_ARRAYS = 32;

    GarbageStorm(Life life) {
        super(life, 1);
    }

    @Override
    void work(Worker self, int index) {
        SplittableRandom random = random(0);
        // Arrays of constant number and size, because they are part of the heap whose growth is checked.
        byte[][] kept = new byte[KEPT_ARRAYS][];
        while (self.isRunning()) {
            int arrays = random.nextInt(1, 64);
            for (int i = 0; i < arrays; i++) {
                kept[random.nextInt(kept.length)] = new byte[GARBAGE_BYTES];
            }
            Polling.pass(ROUND_NANOS);
        }
    }
}
