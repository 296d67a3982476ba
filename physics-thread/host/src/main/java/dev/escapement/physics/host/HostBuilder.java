package dev.escapement.physics.host;

import dev.escapement.physics.usercode.Watchdog;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.time.Waiter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link PhysicsHost}. Used by one thread.
 *
 * @see PhysicsHost#builder
 */
public final class HostBuilder {

    private static final int MAX_THREADS = 1024;

    int threads = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
    long watchdogNanos;
    WaitStrategy waitStrategy = WaitStrategy.PARK_THEN_SPIN;

    @Nullable
    TickRate lockStep;

    private boolean used;

    HostBuilder() {}

    /** Throws if the builder has started a host, which reads these settings while it runs. */
    private void requireUnused() {
        if (used) {
            throw new IllegalStateException(
                    "this builder has started a host before; make another one with PhysicsHost.builder()");
        }
    }

    /**
     * Sets the number of threads that tick the worlds, by default one less than there are cores.
     *
     * @param newThreads 1 to 1024; with more threads than cores, worlds wait for cores instead of for threads
     * @return this
     * @throws IllegalArgumentException if the number is out of its range
     */
    public HostBuilder threads(int newThreads) {
        requireUnused();
        if (newThreads < 1 || newThreads > MAX_THREADS) {
            throw new IllegalArgumentException("a host needs 1 to " + MAX_THREADS + " threads, but is to have "
                    + newThreads + "; the default is one less than there are cores");
        }
        threads = newThreads;
        return this;
    }

    /**
     * Sets the longest time of one call of user code. If a call takes longer, its world fails, and a new thread replaces the thread of the
     * call. Applies to worlds whose own builder sets no limit. Off by default, because it would also abandon a thread at a breakpoint.
     *
     * @param limitMillis at least 8; much longer than the slowest tick
     * @return this
     * @throws IllegalArgumentException if the limit is too short
     */
    public HostBuilder watchdog(long limitMillis) {
        requireUnused();
        watchdogNanos = Watchdog.limitNanos(limitMillis);
        return this;
    }

    /**
     * Sets the wait strategy of threads before their next deadline, {@link WaitStrategy#PARK_THEN_SPIN} by default.
     *
     * @param newWaitStrategy {@link WaitStrategy#PARK_ONLY} to save processor time at the cost of late ticks
     * @return this
     */
    public HostBuilder waitStrategy(WaitStrategy newWaitStrategy) {
        requireUnused();
        waitStrategy = Objects.requireNonNull(
                newWaitStrategy, "waitStrategy must not be null; the default is WaitStrategy.PARK_THEN_SPIN");
        return this;
    }

    /**
     * Ticks all worlds in lock step: each call of {@link PhysicsHost#tickAll()} ticks every world once, and time stands still between the
     * calls. No tick is late then, so the worlds' {@linkplain dev.escapement.physics.PhysicsServiceBuilder#lateTicks policies for late
     * ticks} have no effect.
     *
     * @param rate the rate of all worlds
     * @return this
     */
    public HostBuilder lockStep(TickRate rate) {
        requireUnused();
        lockStep = Objects.requireNonNull(rate, "rate must not be null; without this call time is that of the clock");
        return this;
    }

    /** {@return the running host, without worlds} Call it once. */
    public PhysicsHost start() {
        requireUnused();
        used = true;
        return new PhysicsHost(this);
    }

    Pacer newPacer() {
        return new Pacer(NanoClock.system(), Waiter.system(), waitStrategy);
    }
}
