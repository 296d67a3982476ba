package dev.escapement.physics;

import dev.escapement.physics.loop.Settings;
import dev.escapement.physics.loop.TickLoop;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.internal.FirstFailure;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TimeScale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ticks a {@link Simulation} in the caller's own loop: a {@link PhysicsService} without a thread. With a clock that only the caller
 * advances, runs are exactly reproducible.
 *
 * <pre>{@code
 * InlineDriver driver = PhysicsService.builder(simulation).inline(NanoClock.system());
 * while (playing) {
 *     driver.runDueTicks(); // at most 0.25 s of ticks, or slow steps would make each frame longer than the last
 *     view.advance(System.nanoTime());
 * }
 * }</pre>
 *
 * <p><b>Threads.</b> One thread uses a driver. {@link TickingWorld} lists the methods that any thread may call.
 */
public final class InlineDriver extends TickingWorld {

    /** One call of {@link #runDueTicks()} runs at most the ticks that are due within this time, and skips the other overdue ticks. */
    private static final long MAX_FRAME_NANOS = 250_000_000;

    private boolean running;

    private final FirstFailure failure = new FirstFailure();

    // Volatile: any thread that attaches a reader reads it; nothing else is ordered by it.
    private volatile boolean closed;

    InlineDriver(Settings settings, NanoClock clock) {
        super(new TickLoop(settings, clock, Runnable::run));
        loop.schedule.start(clock.nanoTime(), TimeScale.ONE);
    }

    /**
     * Runs the ticks that are due, at most a quarter of a second of the clock: 25 ticks at 100 Hz and full speed. No tick runs while time
     * stands still. Skips and counts the other overdue ticks, unless the run replays or follows another one. If a tick closes the driver,
     * that tick is the last one. Commands run even if no tick is due, and queries too, once a first tick has run.
     *
     * @return how many ticks ran
     * @throws IllegalStateException in the cases of {@link #runDueTicks(int)}, such as a closed driver
     */
    public int runDueTicks() {
        return run(Integer.MAX_VALUE, loop.settings.replicated() == null);
    }

    /**
     * Runs at most a given number of the ticks that are due. The other due ticks stay due for the next call, unless {@link
     * PhysicsServiceBuilder#lateTicks} skips them; {@link Integer#MAX_VALUE} runs all of them.
     *
     * @param maxTicks how many at most
     * @return how many ticks ran
     * @throws IllegalStateException if the driver was closed, if a tick calls this, or if the simulation threw a checked exception; an
     *                               unchecked exception is passed on. A tick that throws before it was published is the last one: later
     *                               calls throw this exception, with the {@link #failure()} as its cause
     */
    public int runDueTicks(int maxTicks) {
        return run(maxTicks, false);
    }

    /**
     * Returns the due time of the next tick. Called by the thread that runs the ticks, between two calls.
     *
     * @return an instant of the clock; {@link Long#MAX_VALUE} while time stands still
     */
    public long nextDueNanos() {
        return loop.schedule.isPaused() ? Long.MAX_VALUE : loop.schedule.nextDueNanos();
    }

    private int run(int maxTicks, boolean skipsOthers) {
        if (running) {
            throw new IllegalStateException(
                    "this driver is running ticks already; what a tick calls cannot run others within it");
        }
        requireOpen();
        if (failure.cause().isPresent()) {
            throw ended(failure.cause().get());
        }
        if (loop.isHalf()) {
            throw new IllegalStateException("this driver ended in the middle of tick " + (loop.lastPublishedTick() + 1)
                    + ", with a StackOverflowError, and runs no other");
        }
        running = true;
        Throwable ofTick = null;
        try {
            begin();
            return runTicks(maxTicks, skipsOthers);
        } catch (Throwable thrown) {
            ofTick = thrown;
            throw thrown;
        } finally {
            running = false;
            endIfClosed(ofTick); // throws what closing throws, unless a tick threw
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("this driver was closed, and its simulation with it");
        }
    }

    /**
     * Closes the run if the driver was closed. Throws the exception of the close; if a tick threw {@code ofTick}, only adds it to {@code
     * ofTick} as suppressed.
     */
    private void endIfClosed(@Nullable Throwable ofTick) {
        if (!closed) {
            return;
        }
        if (failure.cause().isEmpty()) {
            loop.endTime();
        }
        FirstFailure ofEnd = new FirstFailure();
        if (ofTick != null) {
            ofEnd.add(ofTick);
        }
        try {
            loop.requests.end(new IllegalStateException("this driver was closed"));
        } catch (Throwable thrown) { // a stack overflow here must not hide what a tick threw, nor prevent the close
            ofEnd.add(thrown);
        }
        loop.close(ofEnd::add, true);
        Throwable cause = ofEnd.cause().orElse(null);
        if (cause != null && cause != ofTick) {
            throw unchecked(cause, "the end failed");
        }
    }

    private void begin() {
        try {
            loop.begin();
        } catch (Throwable thrown) {
            loop.guard.exitAfterThrow();
            if (loop.isHalf()) {
                end(thrown);
            }
            throw unchecked(thrown, "the simulation could not begin");
        }
    }

    private int runTicks(int maxTicks, boolean skipsOthers) {
        int ticks = 0;
        long nowNanos = loop.clock.nanoTime(); // read once: otherwise slow ticks would make more ticks due without end
        long last = loop.lastPublishedTick();
        try {
            if (!closed && loop.schedule.isPaused()) {
                loop.idle.runPaused();
            } else if (!closed && !isDue(nowNanos)) {
                loop.idle.runBetweenTicks();
            }
            long firstNanos = loop.schedule.nextDueNanos();
            boolean isLast = false;
            while (!closed && ticks < maxTicks && !isLast && isDue(nowNanos)) {
                ticks++;
                isLast = skipsOthers && loop.schedule.isLastBefore(firstNanos + MAX_FRAME_NANOS);
                loop.schedule.skipAfterNext(isLast);
                loop.runTick();
                last = loop.lastPublishedTick();
            }
        } catch (Throwable thrown) {
            loop.guard.exitAfterThrow();
            if (loop.isHalf()) {
                end(thrown);
            } else {
                loop.fault(TickHook.Fault.Reason.THREW, thrown);
            }
            throw unchecked(thrown, "tick " + (last + 1) + " failed");
        }
        return ticks;
    }

    /** Ends the run, because half a tick can be neither completed nor repeated. */
    private void end(Throwable thrown) {
        failure.add(thrown);
        loop.endTime();
        loop.fault(TickHook.Fault.Reason.THREW, thrown);
        loop.input.close();
        loop.requests.end(ended(thrown));
    }

    private IllegalStateException ended(Throwable cause) {
        return new IllegalStateException(
                "this driver ended with tick " + (loop.lastPublishedTick() + 1) + ", which failed, and runs no other: "
                        + FailureReport.why(cause),
                cause);
    }

    /** Throws errors. Returns unchecked exceptions as they are, and checked ones wrapped in an unchecked one. */
    private static RuntimeException unchecked(Throwable thrown, String what) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException unchecked
                ? unchecked
                : new IllegalStateException(what + ": " + thrown, thrown);
    }

    private boolean isDue(long nowNanos) {
        return !loop.schedule.isPaused() && loop.prepareNext() && loop.schedule.nextDueNanos() - nowNanos <= 0;
    }

    @Override
    public SnapshotReader newReader() {
        requireOpen();
        return loop.exchange.attach();
    }

    /** {@return the exception that ended the run, and was thrown to the thread that ran its ticks; empty if no exception ended it} */
    @Override
    public Optional<Throwable> failure() {
        return failure.cause();
    }

    @Override
    public boolean hasEnded() {
        return closed || failure.cause().isPresent();
    }

    /**
     * Closes the simulation and the input sources, and fails the commands and queries that did not run. Ticks that are due and did not run
     * count as skipped. Idempotent. Within a tick this only notes the close: that tick is the last one, and {@link #runDueTicks()} closes
     * the simulation and the sources after it.
     */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            loop.schedule.close(loop.clock.nanoTime());
            loop.input.close();
            if (!running) {
                endIfClosed(null);
            }
        }
    }
}
