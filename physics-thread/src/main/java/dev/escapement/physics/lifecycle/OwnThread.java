package dev.escapement.physics.lifecycle;

import dev.escapement.physics.loop.Settings;
import dev.escapement.physics.measure.RunStats;
import dev.escapement.physics.slice.SlicedRun;
import dev.escapement.physics.slice.TickHost;
import dev.escapement.physics.usercode.Watchdog;
import dev.escapement.state.internal.ThreadEnd;
import dev.escapement.state.thread.ThreadGrants;
import dev.escapement.state.thread.ThreadTimes;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.time.Waiter;

/**
 * A thread that ticks one service: runs a slice, and waits until the next one is due. If the builder sets a watchdog, a second thread
 * watches it.
 *
 * <p>Any thread may call any method.
 */
public final class OwnThread implements TickHost {

    private final Lifecycle life;
    private final Settings settings;
    private final RunStats stats;
    private final NanoClock clock;
    private final Pacer pacer;
    private final Pacer watchdogPacer;
    private final Thread thread;

    public OwnThread(Lifecycle life) {
        this.life = life;
        settings = life.loop.settings;
        stats = life.loop.stats;
        clock = life.loop.clock;
        pacer = new Pacer(clock, settings.waiter(), settings.waitStrategy());
        watchdogPacer = new Pacer(clock, Waiter.system(), WaitStrategy.PARK_ONLY);
        thread = settings.newThread(this::run, "escapement-physics");
    }

    @Override
    public long startNanos(long periodNanos) {
        return clock.nanoTime();
    }

    @Override
    public void start() {
        try {
            if (settings.watchdogNanos() > 0) {
                settings.newThread(this::watch, "escapement-watchdog").start();
            }
            thread.start();
        } catch (Throwable noMemoryForAThread) {
            watchdogPacer.cancel();
            throw noMemoryForAThread;
        }
    }

    private void run() {
        try (ThreadTimes times = ThreadTimes.ofCallingThread()) {
            long nextNanos = life.runSlice(times);
            while (nextNanos != SlicedRun.ENDED) {
                await(nextNanos);
                nextNanos = life.runSlice(times);
            }
        } catch (Throwable inWait) {
            // From a wait, or an error of the JVM in a slice; a slice passes on no exception of user code.
            life.endWith(inWait);
        }
    }

    private void await(long nextNanos) {
        if (life.wantsSignals()) {
            pacer.awaitSignal(nextNanos - clock.nanoTime());
        } else {
            pacer.awaitUntil(nextNanos);
        }
    }

    @Override
    public void beforeBegin() {
        if (settings.threadPolicy() != null) {
            ThreadGrants grants =
                    ThreadGrants.by(settings.threadPolicy(), settings.rate().nanosAt(1));
            pacer.adapt(grants.maxSpinNanos(), grants.preemption());
            stats.granted(grants);
        }
    }

    @Override
    public void signal() {
        pacer.signal();
    }

    @Override
    public void cancel() {
        pacer.cancel();
    }

    @Override
    public void beforeClose() {
        watchdogPacer.cancel();
    }

    @Override
    public void abandoned() {
        pacer.cancel();
        watchdogPacer.cancel();
        stats.threadGrants().withdrawal().run(); // else the hanging thread could keep real-time priority
    }

    @Override
    public boolean isCaller() {
        return thread == Thread.currentThread();
    }

    @Override
    public boolean awaitEnd(long maxNanos) {
        return ThreadEnd.await(thread, maxNanos);
    }

    private void watch() {
        Watchdog watchdog = new Watchdog(life.loop.guard);
        while (watchdogPacer.awaitUntil(clock.nanoTime() + settings.watchdogNanos() / Watchdog.LOOKS)) {
            if (watchdog.look() >= Watchdog.LOOKS) {
                life.abandon(watchdog.seen(), settings.watchdogNanos());
            }
        }
    }
}
