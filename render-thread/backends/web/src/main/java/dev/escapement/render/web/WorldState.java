package dev.escapement.render.web;

import dev.escapement.state.exchange.Window;
import dev.escapement.state.service.History;
import dev.escapement.state.service.WorldControl;
import dev.escapement.state.snapshot.Snapshot;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Whether the world runs, as pages are told: at each change, and twice a second. One thread. */
final class WorldState {

    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** A world of which nothing new was seen for so long does not run; a slow one has two ticks. */
    private static final long STILL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final @Nullable WorldControl world;
    private long seenNanos;
    private long saidNanos;
    private String said = "";
    private double slope = 1;

    WorldState(@Nullable WorldControl world, long nowNanos) {
        this.world = world;
        seenNanos = nowNanos - STILL_NANOS;
        saidNanos = nowNanos - PERIOD_NANOS;
    }

    /** Somebody has come who was not told. */
    void sayAgain() {
        said = "";
    }

    /** A tick was seen. */
    void seen(long nowNanos) {
        seenNanos = nowNanos;
    }

    /** The message, if pages are to be told now; null if not. */
    @Nullable
    String message(@Nullable Window window, @Nullable History history, int clients, long nowNanos) {
        String now = state(window, clients, nowNanos);
        if (now.equals(said) && nowNanos - saidNanos < PERIOD_NANOS) {
            return null;
        }
        said = now;
        saidNanos = nowNanos;
        if (history == null || history.oldestTick() == Snapshot.NEVER_WRITTEN) {
            return now + ",\"historyFrom\":-1,\"historyTo\":-1,\"historyBytes\":0}";
        }
        return now + ",\"historyFrom\":" + history.oldestTick() + ",\"historyTo\":" + history.newestTick()
                + ",\"historyBytes\":" + history.bytes() + "}";
    }

    private String state(@Nullable Window window, int clients, long nowNanos) {
        boolean paused = window != null && window.timeline().isPaused();
        boolean ended = world != null && world.hasEnded();
        double scale = world != null ? scale(world) : window != null ? scale(window) : 1;
        long stillNanos = STILL_NANOS;
        if (window != null) {
            stillNanos += (long) (2 * window.timeline().rate().nanosAt(1) / scale);
        }
        boolean running = !paused && !ended && nowNanos - seenNanos < stillNanos;
        String failure = world == null
                ? "null"
                : world.failure().map(cause -> Json.text(cause.toString())).orElse("null");
        return "{\"type\":\"state\",\"running\":" + running + ",\"paused\":" + paused + ",\"scale\":" + scale
                + ",\"failure\":" + failure + ",\"ended\":" + ended + ",\"clients\":" + clients;
    }

    private static double scale(WorldControl world) {
        return (double) world.timeScale().numerator() / world.timeScale().denominator();
    }

    /** That of the last piece in which time went on. */
    private double scale(Window window) {
        window.timeline().pieces((startNanos, startSimNanos, numerator, denominator) -> {
            slope = numerator == 0 ? slope : (double) numerator / denominator;
        });
        return slope;
    }
}
