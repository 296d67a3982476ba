package dev.escapement.physics;

import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.thread.FirstFailure;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TimeScale;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ticks a {@link Simulation} in the caller's own loop: a {@link PhysicsService} without a thread. With a manual clock it is exactly
 * reproducible.
 *
 * <pre>{@code
 * InlineDriver driver = PhysicsService.builder(simulation).inline(NanoClock.system());
 * while (playing) {
 *     driver.runDueTicks(); // those of a quarter of a second at most: steps that are too slow must not make ever longer frames
 *     view.advance(System.nanoTime());
 * }
 * }</pre>
 *
 * <p><b>Threads.</b> One, except the methods of {@link TickingWorld} that any thread may call.
 */
public final class InlineDriver extends LoopWorld {

    /** One call runs the ticks that are due within this time of the clock; later ones are skipped. */
    private static final long MAX_FRAME_NANOS = 250_000_000;

    private boolean running;

    // Volatile: read by any thread that attaches; nothing else is ordered by it.
    private volatile boolean closed;

    InlineDriver(Settings settings, NanoClock clock) {
        super(new TickLoop(settings, clock, Runnable::run));
        loop.schedule.start(clock.nanoTime(), TimeScale.ONE);
    }

    /**
     * Runs the ticks that are due, none while time stands still, and at most those of a quarter of a second of the clock: 25 at 100 Hz and
     * full speed. What is overdue after them is skipped and counted, as by {@link LateTicks#burst}. A run that replays or follows another
     * skips none. If a tick closes the driver, it is the last one. Commands also run if no tick is due, and so do queries after the first
     * tick.
     *
     * @return how many ticks ran
     * @throws IllegalStateException as {@link #runDueTicks(int)} does
     */
    public int runDueTicks() {
        return run(Integer.MAX_VALUE, loop.settings.run == null);
    }

    /**
     * Runs at most a given number of the ticks that are due. The others stay due: with {@link Integer#MAX_VALUE}, none is ever skipped.
     *
     * @param maxTicks how many at most
     * @return how many ticks ran
     * @throws IllegalStateException if the driver was closed, if a tick calls this, or if the simulation threw a checked exception; an
     *                               unchecked one is passed on
     */
    public int runDueTicks(int maxTicks) {
        return run(maxTicks, false);
    }

    private int run(int maxTicks, boolean skipsOthers) {
        if (running) {
            throw new IllegalStateException(
                    "this driver is running ticks already; what a tick calls cannot run others within it");
        }
        requireOpen();
        running = true;
        int ticks;
        try {
            begin();
            ticks = runTicks(maxTicks, skipsOthers);
        } catch (Throwable thrown) {
            running = false;
            endIfClosed(thrown);
            throw thrown;
        }
        running = false;
        endIfClosed(null);
        return ticks;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("this driver was closed, and its simulation with it");
        }
    }

    /** Throws what closing throws, unless a tick threw: then that suppresses it. */
    private void endIfClosed(@Nullable Throwable ofTick) {
        if (!closed) {
            return;
        }
        FirstFailure failure = new FirstFailure();
        if (ofTick != null) {
            failure.add(ofTick);
        }
        try {
            loop.requests.end(new IllegalStateException("this driver was closed"));
        } catch (Throwable thrown) { // the stack may end here: what a tick threw comes first, and all is closed
            failure.add(thrown);
        }
        loop.close(failure::add);
        Throwable cause = failure.cause().orElse(null);
        if (cause == ofTick) {
            return;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        throw cause instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(cause);
    }

    private void begin() {
        try {
            loop.begin();
        } catch (RuntimeException | Error unchecked) {
            throw unchecked;
        } catch (Exception checked) {
            throw new IllegalStateException("the simulation could not begin: " + checked, checked);
        }
    }

    private int runTicks(int maxTicks, boolean skipsOthers) {
        int ticks = 0;
        long nowNanos = loop.clock.nanoTime(); // once: otherwise slow ticks would run without end
        if (!closed && loop.schedule.isPaused()) {
            loop.runPaused();
        } else if (!closed && !isDue(nowNanos)) {
            loop.runBetweenTicks();
        }
        long firstNanos = loop.schedule.nextDueNanos();
        boolean isLast = false;
        while (!closed && ticks < maxTicks && !isLast && isDue(nowNanos)) {
            ticks++;
            isLast = skipsOthers && loop.schedule.isLastBefore(firstNanos + MAX_FRAME_NANOS);
            loop.schedule.skipAfterNext(isLast);
            runTick();
        }
        return ticks;
    }

    private boolean isDue(long nowNanos) {
        return !loop.schedule.isPaused() && loop.prepareNext() && loop.schedule.nextDueNanos() - nowNanos <= 0;
    }

    private void runTick() {
        long tick = loop.schedule.nextTick();
        try {
            loop.runTick();
        } catch (RuntimeException | Error unchecked) {
            recordFailure(tick, unchecked);
            throw unchecked;
        } catch (Exception checked) {
            recordFailure(tick, checked);
            throw new IllegalStateException("tick " + tick + " failed: " + checked, checked);
        }
    }

    /** Ends the recording if the tick was not completed: the caller may run the same tick again, which no log can replay. */
    private void recordFailure(long tick, Throwable thrown) {
        loop.fault(TickFault.Reason.THREW, thrown);
        if (loop.schedule.nextTick() == tick) {
            loop.endRecording(
                    tick,
                    new IOException("tick " + tick + " failed, and no log can repeat half a tick: " + thrown, thrown));
        }
    }

    @Override
    public SnapshotReader newReader() {
        requireOpen();
        return loop.exchange.attach();
    }

    /** Empty: a driver throws failures to the thread that runs its ticks. */
    @Override
    public Optional<Throwable> failure() {
        return Optional.empty();
    }

    @Override
    public boolean hasEnded() {
        return closed;
    }

    /**
     * Closes the simulation and the input sources, and fails the commands and queries that did not run. Idempotent. Within a tick this
     * returns immediately, that tick is the last one, and {@link #runDueTicks()} closes them after it.
     */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            loop.input.close();
            if (!running) {
                endIfClosed(null);
            }
        }
    }
}
