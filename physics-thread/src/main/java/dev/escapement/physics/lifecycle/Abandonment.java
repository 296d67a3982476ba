package dev.escapement.physics.lifecycle;

import dev.escapement.physics.loop.TickLoop;
import dev.escapement.physics.simulation.HungSimulationException;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.internal.ThreadEnd;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;

/**
 * Abandons a physics thread that hangs in user code, and ends the run in its place.
 *
 * <pre>
 *   a watchdog, or awaitEnd() after the close timeout, finds the thread in one call of user code
 *     claim              guard.abandon decides, by one compare-and-set, whether the call has returned meanwhile
 *     failAbandoned      adds the cause, ends time, sets FAILED, ends the queues
 *     devices, hooks     closed on threads of their own, because they may hang, too: 1 s and 3 s at most
 *     reportFailure      4 s after the abandonment at the latest; a log line on a thread of its own, too: 1 s at most
 * </pre>
 *
 * <p>If the abandoned thread returns, it closes what only that thread may close, the source and the simulation, and ends. Nothing that it
 * does reaches a snapshot, event, answer or count.
 *
 * <p>Any thread may call any method, except that the physics thread must not call {@link #awaitEnd()}.
 */
final class Abandonment {

    private static final int MAX_ATTEMPTS = 1000;
    private static final long RETRY_NANOS = 1_000_000;

    /** Upper bound on the close of all devices, and on a log line: the physics thread may hang in the logger, and hold its lock. */
    private static final long MAX_DEVICES_NANOS = 1_000_000_000;

    /** Upper bound on the {@link TickHook#end()} of all hooks. */
    private static final long MAX_HOOKS_NANOS = 3_000_000_000L;

    private final Lifecycle life;
    private final TickLoop loop;

    /** Zero once the thread that abandoned the physics thread has ended the hooks in its place. */
    private final CountDownLatch hooksEnded = new CountDownLatch(1);

    Abandonment(Lifecycle life) {
        this.life = life;
        loop = life.loop;
    }

    /**
     * Waits for the end of the physics thread, and abandons the thread if it does not end in time. If it hangs where no thread can abandon
     * it, logs that. The physics thread must not call this.
     */
    void awaitEnd() {
        long timeoutNanos = loop.settings.closeTimeoutNanos();
        long waitNanos = timeoutNanos;
        boolean isOwn = false;
        for (int attempt = 0; attempt < MAX_ATTEMPTS && !isAbandoned() && !life.host.awaitEnd(waitNanos); attempt++) {
            isOwn |= abandonIfHanging(loop.guard.crossings(), "it did not end within " + timeoutNanos / 1e9 + " s");
            waitNanos = RETRY_NANOS; // the thread may hang in another call of user code now
        }
        if (!isAbandoned()) {
            if (!life.host.awaitEnd(RETRY_NANOS)) {
                elsewhere("escapement-log", () -> FailureReport.warn(this::notEnded), MAX_DEVICES_NANOS);
            }
        } else if (!isOwn) {
            // Another thread abandoned it, and ends the hooks.
            ThreadEnd.await(hooksEnded, MAX_DEVICES_NANOS + MAX_HOOKS_NANOS);
        }
    }

    private String notEnded() {
        Thread thread = loop.guard.thread();
        return loop.settings.title() + " is " + life.state() + " " + loop.settings.closeTimeoutNanos() / 1e9
                + " s after its close: its thread hangs outside of the code that can be abandoned"
                + (thread == null ? "" : ", " + BlockedTicks.location(thread.getStackTrace()))
                + ". Its simulation stays open, and the thread, a daemon, keeps running.";
    }

    /**
     * Abandons the physics thread if it is still in the call of user code that was seen at {@code crossings}. Returns whether this call
     * abandoned it.
     */
    boolean abandonIfHanging(long crossings, String why) {
        if (!UserCodeGuard.isInUserCode(crossings)) {
            return false;
        }
        StackTraceElement[] stack = Objects.requireNonNull(loop.guard.thread(), "it has entered user code")
                .getStackTrace();
        Throwable hung = new HungSimulationException(
                "the physics thread hangs, tick " + loop.lastPublishedTick() + " was its last: " + why
                        + "; it was abandoned with its simulation, and the stack trace shows where it is"
                        + BlockedTicks.adviceOnFutures(stack),
                stack);
        return abandon(crossings, hung);
    }

    void orphan(String why) {
        loop.guard.enter();
        Throwable lost = new IllegalStateException("tick " + loop.lastPublishedTick() + " was the last: " + why
                + "; the simulation could not be closed, for only that thread may");
        abandon(loop.guard.crossings(), lost);
    }

    private boolean abandon(long crossings, Throwable lost) {
        boolean abandoned = claim(crossings, lost);
        if (abandoned) {
            try {
                elsewhere("escapement-devices", () -> loop.devices.close(life.failure::add), MAX_DEVICES_NANOS);
                elsewhere("escapement-hooks", () -> endHooks(lost), MAX_HOOKS_NANOS);
            } finally {
                life.endQueues(ServiceState.FAILED); // again: the first call, in claim(), may have run out of memory
                hooksEnded.countDown();
                if (loop.settings.onFailure() == null) { // then this only logs
                    elsewhere("escapement-log", life::reportFailure, MAX_DEVICES_NANOS);
                } else {
                    life.reportFailure();
                }
            }
        }
        return abandoned;
    }

    private synchronized boolean claim(long crossings, Throwable lost) {
        boolean abandoned = loop.guard.abandon(crossings);
        if (abandoned) {
            life.failAbandoned(lost);
        }
        return abandoned;
    }

    /** Whether the physics thread was abandoned. Takes the lock of {@link #claim}: a caller that gets true sees the state FAILED. */
    private synchronized boolean isAbandoned() {
        return loop.guard.isAbandoned();
    }

    private void endHooks(Throwable lost) {
        loop.fault(TickHook.Fault.Reason.HUNG, lost); // even if hooks have received the fault of an earlier failure
        loop.hooks.end(life.failure::add);
    }

    /** Runs {@code close} on a thread of its own, because it may hang, too, and waits for that up to a maximum. */
    private void elsewhere(String name, Runnable close, long maxNanos) {
        try {
            Thread closing = loop.settings.newThread(close, name);
            closing.start();
            ThreadEnd.await(closing, maxNanos);
        } catch (Throwable noMemoryForAThread) { // or a stack overflow in the wait: closing twice is harmless
            close.run();
        }
    }
}
