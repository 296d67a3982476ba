package dev.escapement.physics;

import dev.escapement.state.thread.FirstFailure;
import dev.escapement.state.thread.ThreadEnd;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.Pacing;
import dev.escapement.state.time.Waiting;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One simulation's life on a thread of its own: from the start, through ticks and pauses, to the end. A service that is
 * restarted begins another one.
 *
 * <p>Any thread may call any method.
 */
final class PhysicsThread {

    private static final int MOST_LOOKS = 1000;
    private static final long LOOK_NANOS = 1_000_000;
    private static final long MOST_BEGIN_SECONDS = 1;

    final TickParts parts;
    final FirstFailure failure = new FirstFailure();
    private final Simulation simulation;
    private final NanoClock clock;
    private final long watchdogNanos;
    private final long closeTimeoutNanos;
    private final Pacer pacer;
    private final Pacer watchdogPacer;
    private final ThreadFactory threads;
    private final Thread thread;

    // Volatile accesses. The cause is added before the state says FAILED, so that whoever reads FAILED also sees the
    // cause.
    private final AtomicReference<ServiceState> state = new AtomicReference<>(ServiceState.NEW);

    /** Null until closed. Set before the pacer is cancelled, by whose flag the physics thread sees it. */
    private final AtomicReference<@Nullable Long> closedAtNanos = new AtomicReference<>();

    /** Open when the simulation knows its thread, or will never know it. */
    private final CountDownLatch begun = new CountDownLatch(1);

    /** Physics thread only: whether another thread waits for its end. */
    private boolean endIsAwaited;

    PhysicsThread(Simulation simulation, TickParts parts, NanoClock clock, PhysicsServiceBuilder builder) {
        this.simulation = simulation;
        this.parts = parts;
        this.clock = clock;
        watchdogNanos = builder.watchdogNanos;
        closeTimeoutNanos = builder.closeTimeoutNanos;
        pacer = new Pacer(clock, builder.waiting, builder.pacing, builder.spinShare);
        watchdogPacer = new Pacer(clock, Waiting.system(), Pacing.PARK_ONLY);
        threads = builder.threads;
        thread = newThread(this::run, "escapement-physics");
    }

    ServiceState state() {
        return Objects.requireNonNull(state.get());
    }

    /** Whether something went wrong; the state says so when what could be closed has been. */
    boolean isFailing() {
        return failure.cause().isPresent();
    }

    @Nullable
    Long closedAtNanos() {
        return closedAtNanos.get();
    }

    /** Starts simulated time. Once, and only while NEW. */
    void start(long nanos) {
        try {
            // Here and not on the new thread: when that thread gets to run is no part of the promise.
            parts.schedule.start(nanos, parts.time.scale());
            state.set(ServiceState.RUNNING);
            if (watchdogNanos > 0) {
                newThread(this::watch, "escapement-watchdog").start();
            }
            thread.start();
        } catch (Throwable thrown) { // there is no memory for another thread
            watchdogPacer.cancel();
            failure.add(thrown);
            close(simulation::close); // by the caller, for there is no other thread that could
            state.set(ServiceState.FAILED);
            endQueues(ServiceState.FAILED);
            throw thrown;
        }
    }

    private Thread newThread(Runnable work, String name) {
        Thread thread = threads.newThread(work);
        thread.setName(name);
        thread.setDaemon(true);
        return thread;
    }

    /** Waits until the simulation refuses other threads, so that whoever has started it is refused. Not for one that hangs. */
    void awaitBegun() {
        try {
            begun.await(MOST_BEGIN_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt(); // the caller's to handle; the service has started
        }
    }

    /** Wakes a thread for which time stands still, or may be about to. */
    void signal() {
        pacer.signal();
    }

    /** Wakes a thread for which time stands still. The caller has put a full fence between what it asks for and this. */
    void signalIfPaused() {
        if (state.get() == ServiceState.PAUSED) {
            pacer.signal();
        }
    }

    /** Ends ticking, without waiting for it. */
    void cancel() {
        closedAtNanos.compareAndSet(null, clock.nanoTime());
        pacer.cancel();
    }

    /** Waits for the end. A thread that does not come to it is abandoned. The physics thread itself lets another one wait. */
    void awaitEnd() {
        if (thread == Thread.currentThread()) {
            letAnotherAwaitEnd();
            return;
        }
        long waitNanos = closeTimeoutNanos;
        for (int look = 0; look < MOST_LOOKS && stillRunsAfter(waitNanos); look++) {
            abandon(parts.heartbeat.beat(), "it was to end, but did not within " + seconds(closeTimeoutNanos));
            waitNanos = LOOK_NANOS; // it may have been between two pieces of the user's code, and hang in the next
        }
        try {
            closeSourcesIfClosed();
        } catch (Throwable thrown) {
            fail(thrown);
        }
    }

    /** Bounds an end that nobody else may be waiting for. Physics thread only. */
    private void letAnotherAwaitEnd() {
        if (!endIsAwaited) {
            endIsAwaited = true;
            try {
                newThread(this::awaitEnd, "escapement-watchdog").start();
            } catch (Throwable noMemoryForAThread) {
                // those who close or restart the service await the end, too
            }
        }
    }

    /** Devices outlive a failure, because a restart goes on with them. A close before or after it closes them. */
    private void closeSourcesIfClosed() {
        if (closedAtNanos.get() != null) {
            parts.sources.close();
        }
    }

    private boolean stillRunsAfter(long waitNanos) {
        return !isAbandoned() && !ThreadEnd.await(thread, waitNanos);
    }

    /** With the lock of {@link #abandon}: whoever gets true also sees the state FAILED. */
    private synchronized boolean isAbandoned() {
        return parts.heartbeat.isAbandoned();
    }

    private void run() {
        try {
            parts.loop.begin();
            begun.countDown();
            while (awaitNextTick()) {
                parts.loop.runTick();
            }
            Long closed = closedAtNanos.get();
            if (closed != null) {
                parts.schedule.end(closed);
            }
        } catch (Throwable thrown) {
            // The beat ends, so that a watchdog that took this for hanging comes too late. Who has abandoned this
            // thread ends the queues, with the reason why.
            if (parts.heartbeat.endIfBegun()) {
                failure.add(thrown);
                endQueues(ServiceState.FAILED); // not after a close that may hang
                letAnotherAwaitEnd();
            }
            begun.countDown(); // it never will; whoever has started it finds the failure
        }
        watchdogPacer.cancel(); // a close may take its time, which those who await the end bound
        parts.heartbeat.begin();
        close(parts.log::close);
        close(parts.sources::closeSelected);
        close(this::closeSourcesIfClosed);
        close(simulation::close); // by this thread even if it was abandoned: native memory belongs to it
        close(this::closeSourcesIfClosed); // where the simulation has closed the service
        if (!parts.heartbeat.isAbandoned() && parts.heartbeat.end()) {
            // Last: whoever sees the end may use again what the simulation had, a world of the game's, say.
            state.set(isFailing() ? ServiceState.FAILED : ServiceState.CLOSED);
            endQueues(state());
        }
    }

    private void close(Runnable what) {
        try {
            what.run();
        } catch (Throwable thrown) {
            addUnlessAbandoned(thrown);
        }
    }

    /** False when the service is closed. */
    private boolean awaitNextTick() {
        while (parts.schedule.isPaused()) {
            state.compareAndSet(ServiceState.RUNNING, ServiceState.PAUSED);
            // Between telling and looking: who asked for something before will not signal, see signalIfPaused().
            VarHandle.fullFence();
            boolean more = parts.loop.runPaused();
            if (pacer.isCancelled()) {
                return false;
            }
            if (parts.schedule.isPaused() && !more && !pacer.awaitSignal(TickSchedule.LOOK_NANOS)) {
                return false;
            }
        }
        state.compareAndSet(ServiceState.PAUSED, ServiceState.RUNNING);
        while (parts.schedule.isFar(clock.nanoTime())) {
            if (!pacer.awaitSignal(TickSchedule.LOOK_NANOS)) {
                return false;
            }
            parts.loop.runBetweenTicks();
        }
        return pacer.awaitUntil(parts.schedule.nextDueNanos());
    }

    private void watch() {
        Watchdog watchdog = new Watchdog(parts.heartbeat);
        while (watchdogPacer.awaitUntil(clock.nanoTime() + watchdogNanos / Watchdog.LOOKS)) {
            long hanging = watchdog.look();
            if (hanging != Watchdog.NOTHING) {
                abandon(
                        hanging,
                        "it has been in the simulation's code, or in a command's, for " + seconds(watchdogNanos));
            }
        }
    }

    /** Gives up a thread that cannot be ended, if it is still where it was at this beat; what waits for it can be ended. */
    private synchronized void abandon(long beat, String why) {
        Throwable hung = new HungSimulationException(
                "the physics thread hangs, tick " + (parts.schedule.nextTick() - 1) + " was its last: " + why
                        + "; it was abandoned with its simulation, and the stack trace tells where it is",
                thread);
        if (parts.heartbeat.abandon(beat)) {
            parts.sources.revokeSelected();
            fail(hung);
            pacer.cancel();
            watchdogPacer.cancel();
            endQueues(state());
        }
    }

    /** What a thread throws after it was abandoned, for one that it was, explains nothing. */
    private void addUnlessAbandoned(Throwable thrown) {
        if (!parts.heartbeat.isAbandoned()) {
            failure.add(thrown);
        }
    }

    private void fail(Throwable thrown) {
        failure.add(thrown);
        state.set(ServiceState.FAILED);
    }

    private void endQueues(ServiceState end) {
        IllegalStateException ended = new IllegalStateException(
                "the physics service has ended: " + end, failure.cause().orElse(null));
        parts.commands.end(ended);
        parts.queries.end(ended);
        parts.answers.end();
    }

    private static String seconds(long nanos) {
        return nanos / 1e9 + " s";
    }
}
