package dev.escapement.bench.run;

import dev.escapement.bench.demo.PushControls;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.thread.ThreadEnd;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.TickRate;
import java.util.SplittableRandom;

/**
 * A player without hands: a thread that pushes one body after another, a thousand times a second on average, in no rhythm that ticks
 * could fall in with.
 */
final class ScriptedPlayer implements AutoCloseable {

    private static final TickRate EVENTS_PER_SECOND = TickRate.hertz(1000);
    private static final float PUSH_METRES_PER_SECOND = 1;

    private static final long CLOSE_TIMEOUT_NANOS = 5_000_000_000L;

    private final InputRing ring;
    private final int bodies;
    private final Pacer pacer = Pacer.system();
    private final Thread thread = new Thread(this::play, "escapement-player");
    private long offered;
    private long accepted;

    ScriptedPlayer(InputRing ring, int bodies) {
        this.ring = ring;
        this.bodies = bodies;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Ends the script. Afterwards the counts are final. */
    @Override
    public void close() {
        pacer.cancel();
        ThreadEnd.await(thread, CLOSE_TIMEOUT_NANOS);
    }

    /** After {@link #close()}: how many events were offered. */
    long offered() {
        return offered;
    }

    /** After {@link #close()}: how many of them the ring accepted. */
    long accepted() {
        return accepted;
    }

    private void play() {
        SplittableRandom random = new SplittableRandom(8);
        long originNanos = System.nanoTime();
        long mostJitterNanos = EVENTS_PER_SECOND.nanosAt(1);
        for (long event = 1; awaitUntil(originNanos, event, random.nextLong(mostJitterNanos)); event++) {
            int body = random.nextInt(Math.max(1, bodies));
            offered++;
            if (ring.offer(
                    System.nanoTime(), InputKind.APPLICATION, PushControls.PUSH_ONE, body, PUSH_METRES_PER_SECOND)) {
                accepted++;
            }
        }
    }

    private boolean awaitUntil(long originNanos, long event, long jitterNanos) {
        return pacer.awaitUntil(originNanos + EVENTS_PER_SECOND.nanosAt(event) + jitterNanos);
    }
}
