package dev.escapement.physics;

import dev.escapement.physics.turns.HostedTicks;
import dev.escapement.physics.turns.TickHost;
import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.internal.FirstFailure;
import dev.escapement.state.internal.ThreadEnd;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.thread.ThreadTimes;
import dev.escapement.state.time.NanoClock;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The run of one simulation: begins it, runs its ticks and pauses in turns, and ends it. Which threads give the turns is behind
 * {@link TickHost}. "The physics thread" is the one that gives a turn.
 *
 * <p>Any thread may call any method, except those of {@link HostedTicks}.
 */
final class ServiceRun implements HostedTicks {

    private static final int MAX_ABANDON_ATTEMPTS = 1000;
    private static final long ABANDON_RETRY_NANOS = 1_000_000;
    private static final long MAX_BEGIN_SECONDS = 1;
    private static final long MAX_DEVICES_NANOS = 1_000_000_000;

    /** A hook may take this long for its {@link TickHook#end()}. */
    private static final long MAX_HOOKS_NANOS = 3_000_000_000L;

    /** How often the source of the ticks is asked again for one that is overdue. */
    private static final long NEXT_LOOK_NANOS = 1_000_000;

    final TickLoop loop;
    final FirstFailure failure = new FirstFailure();
    final FailureReport report;
    private final Settings settings;
    private final NanoClock clock;
    private final TickHost host;
    private final long earlyNanos;
    private final BlockedTicks.Watched watched;

    /** Created in advance: the end after an OutOfMemoryError then allocates nothing here. */
    private final Consumer<Throwable> closeFailed = this::addUnlessAbandoned;

    // Volatile: set before the host is told, whose wait a thread then finds ended.
    private volatile boolean cancelled;

    /** Physics thread only. */
    private boolean wantsSignals;

    /** Whether the next turn serves requests. Volatile: set before the signal for that turn, which reads it. */
    private volatile boolean servesNow;

    /** Physics thread only: what the host's thread has that gave the last turn. */
    private @Nullable ThreadTimes threadTimes;

    // Volatile accesses. The failure is added before the state is FAILED: a thread that reads FAILED also sees the
    // cause.
    private final AtomicReference<ServiceState> state = new AtomicReference<>(ServiceState.NEW);

    /** Zero when {@link Simulation#begin()} has returned or thrown, or is never called because the service was closed before. */
    private final CountDownLatch begun = new CountDownLatch(1);

    // Volatile: written by the physics thread before begun is zero, and read after, or after a second without that.
    private volatile @Nullable Throwable policyFailure;

    /** Zero once a thread that has abandoned the physics thread has ended the hooks in its place. */
    private final CountDownLatch hooksEnded = new CountDownLatch(1);

    /** Physics thread only: whether another thread was started to wait for its end. */
    private boolean endIsAwaited;

    /** Creates a run that has no turns yet. */
    ServiceRun(TickLoop loop, Function<ServiceRun, TickHost> places) {
        this.loop = loop;
        settings = loop.settings;
        report = new FailureReport(settings.title(), settings.onFailure);
        clock = loop.clock;
        watched = new BlockedTicks.Watched(loop.guard, this::reportBlocked);
        host = places.apply(this);
        earlyNanos = host.earlyNanos();
        loop.inputOffered = this::wakeForInput;
    }

    ServiceState state() {
        return Objects.requireNonNull(state.get());
    }

    /** Whether a failure is known. The state is FAILED only after the simulation and its devices were closed. */
    boolean isFailing() {
        return failure.cause().isPresent();
    }

    long closedAtNanos() {
        Long nanos = loop.schedule.closedAtNanos();
        if (nanos == null) {
            throw new IllegalStateException("this service is not closed, it is " + state());
        }
        return nanos;
    }

    /** Starts simulated time and the turns. Call it once, while NEW. Returns the instant from which time runs. */
    long start() {
        long nanos = host.startNanos(settings.rate.nanosAt(1));
        start(nanos);
        return nanos;
    }

    void start(long nanos) {
        try {
            // Not on a new thread, which may start to run late: the first tick is due one period from now.
            loop.schedule.start(nanos, loop.time.scale());
            state.set(ServiceState.RUNNING);
            host.start();
        } catch (Throwable thrown) { // no memory for another thread
            failure.add(thrown);
            loop.close(closeFailed); // on the calling thread, because there is no other
            state.set(ServiceState.FAILED);
            endQueues(ServiceState.FAILED);
            throw thrown;
        }
    }

    /**
     * Waits until {@link Simulation#begin()} has returned, at most 1 s. From then on a simulation can refuse other threads. Returns what the
     * policy has thrown, null if nothing.
     */
    @Nullable
    Throwable awaitBegun() {
        if (host.isCaller()) {
            return null; // it has to give the turn that begins
        }
        try {
            begun.await(MAX_BEGIN_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt(); // for the caller to handle: the service has started
        }
        if (settings.threadPolicy != null && policyFailure == null) { // not by the physics thread: a logger takes long
            System.getLogger("dev.escapement.physics")
                    .log(System.Logger.Level.INFO, settings.title() + ": " + loop.meters.stats.threadGrants());
        }
        return policyFailure;
    }

    private void beginHosted() {
        try {
            host.beginning();
        } catch (Throwable thrown) { // most often: a policy of threads is required, and not granted
            policyFailure = thrown;
            throw thrown;
        }
    }

    /** Wakes the physics thread if it waits because time stands still, or is about to. */
    void signal() {
        host.signal();
    }

    /** Wakes the physics thread if time stands still. The caller must put a full fence between its request and this call. */
    void signalIfPaused() {
        if (state.get() == ServiceState.PAUSED) {
            host.signal();
        }
    }

    private void wakeForInput() {
        VarHandle.fullFence(); // between the event in the ring and the state
        signalIfPaused();
    }

    /** Lets the physics thread end, without waiting for it. */
    void cancel() {
        loop.schedule.close(clock.nanoTime()); // before cancelled: a thread that sees that also sees this
        cancelled = true;
        host.cancel();
    }

    /** Waits for the end, and abandons a thread that does not end in time. If called on a thread that gives turns, another thread waits. */
    void awaitEnd() {
        if (host.isCaller()) {
            letAnotherAwaitEnd();
            return;
        }
        long waitNanos = settings.closeTimeoutNanos;
        boolean isOwn = false;
        for (int attempt = 0; attempt < MAX_ABANDON_ATTEMPTS && stillRunsAfter(waitNanos); attempt++) {
            isOwn |= abandon(loop.guard.crossings(), "it did not end within " + seconds(settings.closeTimeoutNanos));
            waitNanos = ABANDON_RETRY_NANOS; // it may hang in the next call of user code
        }
        if (isAbandoned() && !isOwn) {
            ThreadEnd.await(hooksEnded, MAX_DEVICES_NANOS + MAX_HOOKS_NANOS); // by the thread that has found the hang
        }
    }

    /** Starts a thread that waits for the end, and abandons this one if it hangs: perhaps no other does. Physics thread only. */
    private void letAnotherAwaitEnd() {
        if (!endIsAwaited) {
            endIsAwaited = true;
            settings.newThread(this::awaitEnd, "escapement-end").start();
        }
    }

    private boolean stillRunsAfter(long waitNanos) {
        return !isAbandoned() && !host.awaitEnd(waitNanos);
    }

    /**
     * Whether this thread was abandoned. Has the lock of {@link #tryAbandon}, so that a thread that gets true also sees the state FAILED.
     */
    private synchronized boolean isAbandoned() {
        return loop.guard.isAbandoned();
    }

    @Override
    public long turn(ThreadTimes times) {
        try {
            if (times != threadTimes) {
                threadTimes = times;
                loop.moveTo(times);
            }
            if (begun.getCount() != 0 && !cancelled) { // else the only turn: it closes a simulation that never began
                beginHosted();
                loop.begin();
                begun.countDown();
                BlockedTicks.OF_THIS_JVM.add(watched);
            }
            if (!cancelled) {
                return runDue();
            }
            loop.endTime();
        } catch (Throwable thrown) {
            fail(thrown);
        }
        end();
        return ENDED;
    }

    /** Ends the run with what the thread has thrown that gives the turns, which ends with this call. */
    void endWith(Throwable thrown) {
        fail(thrown);
        end();
    }

    private void fail(Throwable thrown) {
        // The guard leaves user code, so that no watchdog can abandon this thread any more. If the thread was
        // abandoned before, the one that did so ends the queues with its reason.
        if (loop.guard.exitIfEntered()) {
            failure.add(thrown);
            endQueues(ServiceState.FAILED); // before the closing below, which may hang
            loop.endTime();
            letAnotherAwaitEnd();
            loop.guard.enter();
            loop.control.fault(TickFault.Reason.THREW, thrown);
            loop.guard.tryExit();
        }
    }

    /** Closes the simulation. Also called on a thread that was abandoned, for its native memory may belong to that thread. */
    private void end() {
        begun.countDown(); // a thread in awaitBegun() returns, and finds the failure if there is one
        BlockedTicks.OF_THIS_JVM.remove(watched);
        host.ending(); // closing may take longer than a tick; awaitEnd() bounds it
        loop.guard.enter();
        loop.close(closeFailed);
        if (loop.guard.tryExit()) {
            // Last: when other threads see the end, they may reuse what the simulation used, for example an engine's
            // world.
            state.set(isFailing() ? ServiceState.FAILED : ServiceState.CLOSED);
            endQueues(state());
            reportFailure();
        }
    }

    /** Reports the failure. Call it outside of all locks and of the guard: the handler may close the service. Throws nothing. */
    private void reportFailure() {
        try {
            failure.cause().ifPresent(cause -> {
                Runnable reporting = () -> report.report(loop.lastPublished(), cause);
                if (settings.onFailure == null) {
                    reporting.run(); // a line of the log, before the end is seen
                } else {
                    host.callHandler(reporting);
                }
            });
        } catch (Throwable noMemory) { // else the thread would end the run again, and close the simulation twice
            failure.add(noMemory);
        }
    }

    /** Runs the next tick if it is due, and serves requests while it is not. Returns when to look again. */
    private long runDue() throws Exception {
        wantsSignals = false;
        if (loop.schedule.isPaused()) {
            state.compareAndSet(ServiceState.RUNNING, ServiceState.PAUSED);
            // Between the state and the queues: a request that was made before the state was PAUSED comes without a
            // signal, see signalIfPaused().
            VarHandle.fullFence();
            boolean more = loop.runPaused();
            if (loop.schedule.isPaused()) {
                if (loop.isResting()) {
                    wantsSignals = true;
                    return NEVER;
                }
                return more ? clock.nanoTime() : awaitSignal(TickSchedule.LOOK_NANOS);
            }
        }
        if (state.get() == ServiceState.PAUSED) {
            state.compareAndSet(ServiceState.PAUSED, ServiceState.RUNNING);
        }
        if (servesNow) {
            servesNow = false;
            loop.runBetweenSteps();
        }
        long nowNanos = clock.nanoTime() + earlyNanos;
        if (loop.isFar(nowNanos)) {
            loop.runBetweenTicks();
        } else if (loop.schedule.nextDueNanos() - nowNanos <= 0) {
            if (!loop.prepareNext()) {
                loop.runBetweenTicks();
                return awaitSignal(NEXT_LOOK_NANOS);
            }
            if (loop.schedule.nextDueNanos() - nowNanos <= 0) { // its source may have moved it
                loop.runTick();
            }
        }
        return nextTurnNanos();
    }

    private long nextTurnNanos() {
        if (loop.schedule.isPaused()) {
            return clock.nanoTime();
        }
        return loop.isFar(clock.nanoTime()) ? awaitSignal(TickSchedule.LOOK_NANOS) : loop.schedule.nextDueNanos();
    }

    private long awaitSignal(long maxNanos) {
        wantsSignals = true;
        return clock.nanoTime() + maxNanos;
    }

    @Override
    public void serveInNextTurn() {
        servesNow = true;
    }

    @Override
    public boolean wantsSignals() {
        return wantsSignals;
    }

    @Override
    public boolean mayMove() {
        return loop.mayMove;
    }

    @Override
    public long periodNanos() {
        return loop.schedule.periodNanos();
    }

    @Override
    public String name() {
        return settings.name;
    }

    @Override
    public PoseLayout layout() {
        return settings.layout;
    }

    @Override
    public long watchdogNanos() {
        return settings.watchdogNanos;
    }

    @Override
    public UserCodeGuard guard() {
        return loop.guard;
    }

    private void reportBlocked(long seconds) {
        Thread thread = Objects.requireNonNull(loop.guard.thread(), "it has entered user code");
        FailureReport.warn(
                () -> "Tick " + (loop.lastPublished() + 1) + " waits: thread '" + thread.getName()
                        + "' has been in "
                        + loop.requests
                                .running()
                                .orElseGet(() -> loop.simulation.getClass().getName())
                        + " for " + seconds + " s, " + BlockedTicks.place(thread.getStackTrace())
                        + ". Readers keep the last window; input and commands wait. Do what takes long on another thread. Of"
                        + " later calls, one that takes twice as long is logged; watchdog(...) fails the service if a call hangs.");
    }

    /**
     * Abandons the physics thread if it is still in the given call of user code, closes the devices and ends the hooks for it, on other
     * threads because these may hang too, and reports the failure, at most 4 s later.
     */
    @Override
    public boolean abandon(long crossings, String why) {
        if (!UserCodeGuard.isInUserCode(crossings)) {
            return false;
        }
        Throwable hung = new HungSimulationException(
                "the physics thread hangs, tick " + loop.lastPublished() + " was its last: " + why
                        + "; it was abandoned with its simulation, and the stack trace shows where it is",
                Objects.requireNonNull(loop.guard.thread(), "it has entered user code")
                        .getStackTrace());
        return abandon(crossings, hung);
    }

    @Override
    public void lose(String why) {
        loop.guard.enter();
        Throwable lost = new IllegalStateException("tick " + loop.lastPublished() + " was the last: " + why
                + "; the simulation could not be closed, for only that thread may");
        abandon(loop.guard.crossings(), lost);
    }

    private boolean abandon(long crossings, Throwable lost) {
        boolean abandoned = tryAbandon(crossings, lost);
        if (abandoned) {
            begun.countDown();
            try {
                closeForIt("escapement-devices", this::closeDevices, MAX_DEVICES_NANOS);
                closeForIt("escapement-hooks", this::endHooks, MAX_HOOKS_NANOS);
            } finally {
                endQueues(ServiceState.FAILED); // again: there may have been no memory for it
                hooksEnded.countDown();
                reportFailure();
            }
        }
        return abandoned;
    }

    private void closeDevices() {
        loop.devices.close(failure::add);
    }

    /** In place of the thread that hangs, which does not come to it. */
    private void endHooks() {
        failure.cause().ifPresent(hung -> loop.control.fault(TickFault.Reason.HUNG, hung));
        loop.hooks.end(failure::add);
    }

    /** Closes what the physics thread would have closed: on another thread, for some time, because that may hang too. */
    private void closeForIt(String name, Runnable close, long maxNanos) {
        try {
            Thread closing = settings.newThread(close, name);
            closing.start();
            ThreadEnd.await(closing, maxNanos);
        } catch (Throwable noMemoryForAThread) { // or the stack of a user's thread ends in the wait: both may close
            close.run();
        }
    }

    private synchronized boolean tryAbandon(long crossings, Throwable lost) {
        boolean abandoned = loop.guard.abandon(crossings);
        if (abandoned) {
            failure.add(lost);
            loop.endTime(); // by this thread: an abandoned one counts nothing more
            state.set(ServiceState.FAILED);
            BlockedTicks.OF_THIS_JVM.remove(watched);
            endQueues(state());
            host.abandoned();
        }
        return abandoned;
    }

    /** Adds a failure, except what an abandoned thread throws. */
    private void addUnlessAbandoned(Throwable thrown) {
        if (!loop.guard.isAbandoned()) {
            failure.add(thrown);
        }
    }

    /** Refuses input, commands and queries from now on, and fails those that wait. A second call completes what the first could not. */
    private void endQueues(ServiceState end) {
        loop.input.close();
        try {
            loop.requests.end(new IllegalStateException(
                    "the physics service has ended: " + end, failure.cause().orElse(null)));
        } catch (Throwable noMemory) {
            failure.add(noMemory);
        }
    }

    private static String seconds(long nanos) {
        return nanos / 1e9 + " s";
    }
}
