package dev.escapement.physics;

import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.internal.FirstFailure;
import dev.escapement.state.internal.ThreadEnd;
import dev.escapement.state.thread.ThreadGrants;
import dev.escapement.state.thread.ThreadTimes;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.time.Waiter;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The physics thread of one simulation: starts it, runs its ticks and pauses, and ends it.
 *
 * <p>Any thread may call any method.
 */
final class PhysicsThread {

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
    private final Pacer pacer;
    private final Pacer watchdogPacer;
    private final BlockedTicks.Watched watched;

    /** Created in advance: the end after an OutOfMemoryError then allocates nothing here. */
    private final Consumer<Throwable> closeFailed = this::addUnlessAbandoned;

    /** Created in advance for the same reason. */
    private final Consumer<Throwable> addFailure;

    /** Set by {@link #create} only, before any other thread has a reference to this. */
    @SuppressWarnings("NullAway.Init")
    private Thread thread;

    // Volatile accesses. The failure is added before the state is FAILED: a thread that reads FAILED also sees the
    // cause.
    private final AtomicReference<ServiceState> state = new AtomicReference<>(ServiceState.NEW);

    /** Null until closed. Set before the pacer is cancelled: a thread that sees the cancellation also sees this. */
    private final AtomicReference<@Nullable Long> closedAtNanos = new AtomicReference<>();

    /** Zero when {@link Simulation#begin()} has returned or thrown. */
    private final CountDownLatch begun = new CountDownLatch(1);

    // Volatile: written by the physics thread before begun is zero, and read after, or after a second without that.
    private volatile @Nullable Throwable policyFailure;

    /** Zero once a thread that has abandoned the physics thread has ended the hooks in its place. */
    private final CountDownLatch hooksEnded = new CountDownLatch(1);

    /** Physics thread only: whether another thread was started to wait for its end. */
    private boolean endIsAwaited;

    private PhysicsThread(TickLoop loop) {
        this.loop = loop;
        settings = loop.settings;
        addFailure = failure::add;
        report = new FailureReport(settings.title(), settings.onFailure);
        clock = loop.clock;
        pacer = new Pacer(clock, settings.waiter, settings.waitStrategy, settings.spinShare);
        watchdogPacer = new Pacer(clock, Waiter.system(), WaitStrategy.PARK_ONLY);
        watched = new BlockedTicks.Watched(loop.guard, this::reportBlocked);
    }

    /** Creates the thread, without starting it. */
    static PhysicsThread create(TickLoop loop) {
        PhysicsThread created = new PhysicsThread(loop);
        created.thread = created.newThread(created::run, "escapement-physics");
        return created;
    }

    ServiceState state() {
        return Objects.requireNonNull(state.get());
    }

    /** Whether a failure is known. The state is FAILED only after the simulation and its devices were closed. */
    boolean isFailing() {
        return failure.cause().isPresent();
    }

    long closedAtNanos() {
        Long nanos = closedAtNanos.get();
        if (nanos == null) {
            throw new IllegalStateException("this service is not closed, it is " + state());
        }
        return nanos;
    }

    /** Starts simulated time and the thread. Call it once, while NEW. */
    void start(long nanos) {
        try {
            // Not on the new thread, which may start to run late: the first tick is due one period from now.
            loop.schedule.start(nanos, loop.time.scale());
            state.set(ServiceState.RUNNING);
            if (settings.watchdogNanos > 0) {
                newThread(this::watch, "escapement-watchdog").start();
            }
            thread.start();
        } catch (Throwable thrown) { // no memory for another thread
            watchdogPacer.cancel();
            failure.add(thrown);
            loop.close(closeFailed); // on the calling thread, because there is no other
            state.set(ServiceState.FAILED);
            endQueues(ServiceState.FAILED);
            throw thrown;
        }
    }

    private Thread newThread(Runnable work, String name) {
        Thread thread = settings.threads.newThread(work);
        thread.setName(settings.name.isEmpty() ? name : name + "-" + settings.name);
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Waits until {@link Simulation#begin()} has returned, at most 1 s. From then on a simulation can refuse other threads. Returns what the
     * policy has thrown, null if nothing.
     */
    @Nullable
    Throwable awaitBegun() {
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

    private void applyPolicy() {
        if (settings.threadPolicy == null || pacer.isCancelled()) { // cancelled: started only to close the simulation
            return;
        }
        try {
            ThreadGrants grants = ThreadGrants.by(settings.threadPolicy, settings.rate.nanosAt(1));
            pacer.adapt(grants.maxSpinNanos(), grants.preemption());
            loop.meters.stats.granted(grants);
        } catch (Throwable thrown) { // most often: required, and not granted
            policyFailure = thrown;
            throw thrown;
        }
    }

    /** Wakes the physics thread if it waits because time stands still, or is about to. */
    void signal() {
        pacer.signal();
    }

    /** Wakes the physics thread if time stands still. The caller must put a full fence between its request and this call. */
    void signalIfPaused() {
        if (state.get() == ServiceState.PAUSED) {
            pacer.signal();
        }
    }

    /** Lets the physics thread end, without waiting for it. */
    void cancel() {
        closedAtNanos.compareAndSet(null, clock.nanoTime());
        pacer.cancel();
    }

    /** Waits for the end, and abandons a thread that does not end in time. If called on the physics thread, another thread waits. */
    void awaitEnd() {
        if (thread == Thread.currentThread()) {
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
            try {
                newThread(this::awaitEnd, "escapement-end").start();
            } catch (Throwable noMemoryForAThread) {
                // a close of the service still bounds the end
            }
        }
    }

    private boolean stillRunsAfter(long waitNanos) {
        return !isAbandoned() && !ThreadEnd.await(thread, waitNanos);
    }

    /**
     * Whether this thread was abandoned. Has the lock of {@link #tryAbandon}, so that a thread that gets true also sees the state FAILED.
     */
    private synchronized boolean isAbandoned() {
        return loop.guard.isAbandoned();
    }

    private void run() {
        try {
            applyPolicy();
            loop.threadTimes = ThreadTimes.ofCallingThread();
            loop.begin();
            begun.countDown();
            BlockedTicks.OF_THIS_JVM.add(watched);
            while (awaitNextTick()) {
                loop.runTick();
            }
            Long closed = closedAtNanos.get();
            if (closed != null) {
                loop.schedule.end(closed);
            }
        } catch (Throwable thrown) {
            // The guard leaves user code, so that the watchdog can no longer abandon this thread. If the thread was
            // abandoned before, the one that did so ends the queues with its reason.
            if (loop.guard.exitIfEntered()) {
                failure.add(thrown);
                endQueues(ServiceState.FAILED); // before the closing below, which may hang
                letAnotherAwaitEnd();
                loop.guard.enter();
                loop.control.fault(TickFault.Reason.THREW, thrown);
                loop.guard.tryExit();
            }
            begun.countDown(); // a thread in awaitBegun() returns, and finds the failure
        }
        BlockedTicks.OF_THIS_JVM.remove(watched);
        watchdogPacer.cancel(); // closing may take longer than a tick; awaitEnd() bounds it
        loop.guard.enter();
        loop.close(closeFailed);
        loop.threadTimes.close();
        if (loop.guard.tryExit()) {
            // Last: when other threads see the end, they may reuse what the simulation used, for example an engine's
            // world.
            state.set(isFailing() ? ServiceState.FAILED : ServiceState.CLOSED);
            endQueues(state());
            reportFailure();
        }
    }

    /** Reports the failure. Call it outside of all locks and of the guard: the handler may close the service. */
    private void reportFailure() {
        failure.cause().ifPresent(cause -> report.report(loop.lastPublished(), cause));
    }

    /** Waits until the next tick is due, and serves requests meanwhile. False when the service is closed. */
    private boolean awaitNextTick() throws Exception {
        while (loop.schedule.isPaused()) {
            state.compareAndSet(ServiceState.RUNNING, ServiceState.PAUSED);
            // Between the state and the queues: a request that was made before the state was PAUSED comes without a
            // signal, see signalIfPaused().
            VarHandle.fullFence();
            boolean more = loop.runPaused();
            if (pacer.isCancelled()) {
                return false;
            }
            if (loop.schedule.isPaused() && !more && !pacer.awaitSignal(TickSchedule.LOOK_NANOS)) {
                return false;
            }
        }
        state.compareAndSet(ServiceState.PAUSED, ServiceState.RUNNING);
        while (loop.isFar(clock.nanoTime())) {
            if (!pacer.awaitSignal(TickSchedule.LOOK_NANOS)) {
                return false;
            }
            loop.runBetweenTicks();
        }
        do {
            if (!pacer.awaitUntil(loop.schedule.nextDueNanos())) {
                return false;
            }
        } while (!awaitSource());
        return true;
    }

    /**
     * Whether the next tick can run now. If its source does not have it yet, serves requests and waits {@link #NEXT_LOOK_NANOS}. False
     * also if the source has moved it to a later time.
     */
    private boolean awaitSource() throws Exception {
        if (loop.prepareNext()) {
            return loop.schedule.nextDueNanos() - clock.nanoTime() <= 0;
        }
        loop.runBetweenTicks();
        pacer.awaitSignal(NEXT_LOOK_NANOS);
        return false;
    }

    private void watch() {
        UserCodeGuard.Watchdog watchdog = new UserCodeGuard.Watchdog(loop.guard);
        while (watchdogPacer.awaitUntil(clock.nanoTime() + settings.watchdogNanos / UserCodeGuard.Watchdog.LOOKS)) {
            long hanging = watchdog.hanging();
            if (hanging != UserCodeGuard.Watchdog.NOTHING) {
                abandon(
                        hanging,
                        "it has been in the code of the simulation, a command, a hook or a device for "
                                + seconds(settings.watchdogNanos));
            }
        }
    }

    private void reportBlocked(long seconds) {
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
    private boolean abandon(long crossings, String why) {
        boolean abandoned = tryAbandon(crossings, why);
        if (abandoned) {
            closeForIt("escapement-devices", () -> loop.devices.close(addFailure), MAX_DEVICES_NANOS);
            closeForIt(
                    "escapement-hooks",
                    () -> {
                        failure.cause().ifPresent(hung -> loop.control.fault(TickFault.Reason.HUNG, hung));
                        loop.hooks.end(addFailure); // the thread that hangs does not come to it
                    },
                    MAX_HOOKS_NANOS);
            hooksEnded.countDown();
            reportFailure();
        }
        return abandoned;
    }

    /** Closes what the physics thread would have closed: on another thread, for some time, because that may hang too. */
    private void closeForIt(String name, Runnable close, long maxNanos) {
        try {
            Thread closing = newThread(close, name);
            closing.start();
            ThreadEnd.await(closing, maxNanos);
        } catch (Throwable noMemoryForAThread) { // or the stack ends in the wait: then both close, which both allow
            close.run();
        }
    }

    private synchronized boolean tryAbandon(long crossings, String why) {
        Throwable hung = new HungSimulationException(
                "the physics thread hangs, tick " + loop.lastPublished() + " was its last: " + why
                        + "; it was abandoned with its simulation, and the stack trace shows where it is",
                thread);
        boolean abandoned = loop.guard.abandon(crossings);
        if (abandoned) {
            failure.add(hung);
            state.set(ServiceState.FAILED);
            pacer.cancel();
            watchdogPacer.cancel();
            BlockedTicks.OF_THIS_JVM.remove(watched);
            endQueues(state());
            loop.meters.stats.threadGrants().withdrawal().run(); // it may hang with real-time priority
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
