package dev.escapement.render.web;

import dev.escapement.render.tools.History;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.exchange.WindowAdvice;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.world.WorldControl;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decides when pages get the state of the world: at each change, and twice a second. One thread. */
final class WorldState {

    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** After this time without a new tick, or after two ticks if that is longer, a world is reported as not running. */
    private static final long STILL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final @Nullable WorldControl world;
    private final Supplier<Map<String, Long>> counts;
    private long seenNanos;
    private long saidNanos;
    private List<@Nullable Object> said = List.of();
    private double slope = 1;

    WorldState(@Nullable WorldControl world, Supplier<Map<String, Long>> counts, long nowNanos) {
        this.world = world;
        this.counts = counts;
        seenNanos = nowNanos - STILL_NANOS;
        saidNanos = nowNanos - PERIOD_NANOS;
    }

    /** Sends the state again, for a page that has just connected. */
    void sayAgain() {
        said = List.of();
    }

    void seen(long nowNanos) {
        seenNanos = nowNanos;
    }

    /** The message for all pages, null if none is due. */
    PageMessage.@Nullable State message(@Nullable Window window, @Nullable History history, long nowNanos) {
        boolean paused = window != null && window.timeline().isPaused();
        boolean ended = world != null && world.hasEnded();
        double scale = scale(window);
        long stillNanos = STILL_NANOS;
        if (window != null) {
            stillNanos += (long) (2 * window.timeline().rate().nanosAt(1) / scale);
        }
        boolean running = !paused && !ended && nowNanos - seenNanos < stillNanos;
        String failure = world == null
                ? null
                : world.failure()
                        .map(cause -> PageMessage.cut(cause.toString()))
                        .orElse(null);
        List<@Nullable Object> state = Arrays.asList(running, paused, scale, failure, ended);
        if (state.equals(said) && nowNanos - saidNanos < PERIOD_NANOS) {
            return null;
        }
        said = state;
        saidNanos = nowNanos;
        long from = history == null || history.oldestTick() == Snapshot.NEVER_WRITTEN ? -1 : history.oldestTick();
        long to = history == null || from < 0 ? -1 : history.newestTick();
        String advice = window == null ? "" : WindowAdvice.of(window);
        return new PageMessage.State(running, paused, scale, failure, ended, advice, from, to, counts.get());
    }

    /** The time scale. Without controls, it is the scale of the last piece of the timeline in which time advanced. */
    private double scale(@Nullable Window window) {
        if (world != null) {
            return (double) world.timeScale().numerator() / world.timeScale().denominator();
        }
        if (window != null) {
            window.timeline().pieces((startNanos, startSimNanos, numerator, denominator) -> {
                slope = numerator == 0 ? slope : (double) numerator / denominator;
            });
        }
        return slope;
    }
}
