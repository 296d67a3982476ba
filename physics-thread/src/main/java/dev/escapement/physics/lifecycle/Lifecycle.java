package dev.escapement.physics.lifecycle;

import dev.escapement.physics.loop.Settings;
import dev.escapement.physics.loop.TickLoop;
import dev.escapement.physics.schedule.TickSchedule;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.slice.SlicedRun;
import dev.escapement.physics.slice.TickHost;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.physics.usercode.Watchdog;
import dev.escapement.state.internal.FirstFailure;
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
 * The life of one service: its state, its slices, its failure and its end.
 *
 * <p>A slice begins the simulation, runs a tick, serves requests in a pause, or closes the simulation. {@link TickHost} has the threads
 * that run the slices; "the physics thread" is the one that runs a slice.
 *
 * <pre>
 *   NEW --start()--&gt; RUNNING &lt;--&gt; PAUSED --cancel(), last slice: end()--&gt; CLOSED
 *                       '-------'-- user code throws: fail(), end() ----&gt; FAILED
 *                       '-------'-- user code hangs: Abandonment -------&gt; FAILED
 * </pre>
 *
 * <p>When user code throws, the run ends in these steps; {@link Abandonment} lists the steps after a hang:
 *
 * <ol>
 *   <li>The exception becomes the failure's cause; input, commands and queries are refused from then on.
 *   <li>Simulated time ends, and hooks receive the fault.
 *   <li>Source, devices and simulation are closed, and hooks end.
 *   <li>The state is FAILED, and the failure is reported.
 * </ol>
 *
 * <p>Any thread may call any method, except these, which belong to the physics thread: {@link #runSlice}, {@link #periodNanos},
 * {@link #wantsSignals} and {@link #endWith}.
 */
public final class Lifecycle implements SlicedRun {

    private static final long MAX_BEGIN_SECONDS = 1;

    /** The interval at which the source of the ticks is polled for an overdue tick. */
    private static final long NEXT_LOOK_NANOS = 1_000_000;

    /** The longest wait of a pause for a request or input, whose signal could be missing. */
    private static final long STAND_NANOS = 1_000_000_000;

    public final TickLoop loop;
    public final FirstFailure failure = new FirstFailure();
    private final FailureReport report;
    public final TickHost host;
    private final Settings settings;
    private final NanoClock clock;
    private final World world;
    private final long earlyNanos;
    private final Abandonment abandonment;
    final BlockedTicks.Watched watched;

    /** Created in advance, so that closing after an OutOfMemoryError need not allocate it. */
    private final Consumer<Throwable> closeFailed = this::addUnlessAbandoned;

    // Volatile: written before host.cancel(), which wakes the physics thread; the woken thread reads it, and would else
    // wait again.
    private volatile boolean cancelled;

    /** When a pause looks again. Kept over signalled slices, because a host queues each other instant. Physics thread only. */
    private long standsUntilNanos;

    /** Whether a signal ends the wait for the next slice. Physics thread only. */
    private boolean wantsSignals;

    /**
     * Whether the next slice serves requests. Volatile: the host writes it before it signals, so that the slice that the signal wakes reads
     * it.
     */
    private volatile boolean servesNow;

    /** Reads the processor time of the thread that ran the latest slice. Physics thread only. */
    private @Nullable ThreadTimes threadTimes;

    // Volatile: the failure is added before the state is FAILED; a thread that reads FAILED must see the cause.
    private final AtomicReference<ServiceState> state = new AtomicReference<>(ServiceState.NEW);

    /** Zero once {@link Simulation#begin()} has returned or thrown, or the service has ended before it. */
    private final CountDownLatch begun = new CountDownLatch(1);

    /** Whether another thread was started to wait for the end of the physics thread. Physics thread only. */
    private boolean endIsAwaited;

    public Lifecycle(TickLoop loop, Function<Lifecycle, TickHost> connect) {
        this.loop = loop;
        settings = loop.settings;
        report = new FailureReport(settings.title(), settings.onFailure(), settings.replicated() == null);
        clock = loop.clock;
        world = new World(settings.name(), loop.mayMove, settings.watchdogNanos(), loop.guard);
        abandonment = new Abandonment(this);
        watched = new BlockedTicks.Watched(loop);
        host = connect.apply(this);
        earlyNanos = host.earlyNanos();
        loop.wakeBy(this::wake);
    }

    public ServiceState state() {
        return Objects.requireNonNull(state.get());
    }

    /** Whether a failure is known. The state is FAILED only after the simulation was closed, or its thread abandoned. */
    public boolean isFailing() {
        return failure.cause().isPresent();
    }

    /** Returns the instant from which simulated time may run. Call it once, before {@link #start}. */
    public long startNanos() {
        return host.startNanos(settings.rate().nanosAt(1));
    }

    /** Starts simulated time and the slices. Call it once, while NEW. */
    public void start(long nanos) {
        try {
            if (!cancelled) { // a cancelled service only closes: its simulation never begins
                BlockedTicks.OF_THIS_JVM.add(watched); // now: the thread policy or the simulation may hang as it begins
            }
            // Here and not on the new thread, which may run late: the first tick is due one period from now.
            loop.schedule.start(nanos, loop.time.requestedScale());
            state.set(ServiceState.RUNNING);
            host.start();
        } catch (Throwable thrown) { // no memory for another thread, or another service ticks the simulation
            failure.add(thrown);
            close(); // on the calling thread, because there is no other
            state.set(ServiceState.FAILED);
            endQueues(ServiceState.FAILED);
            throw thrown;
        }
    }

    /**
     * Waits until {@link Simulation#begin()} has returned, at most 1 s: after that, the simulation knows its thread, and can refuse calls
     * from others.
     */
    public void awaitBegun() {
        if (host.isCaller()) {
            return; // this thread itself has to run the slice that begins the simulation
        }
        try {
            begun.await(MAX_BEGIN_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt(); // for the caller to handle: the service has started
        }
        // Logged here: a logger takes too long for the physics thread.
        if (settings.threadPolicy() != null && !isFailing()) {
            System.getLogger("dev.escapement.physics")
                    .log(System.Logger.Level.INFO, settings.title() + ": " + loop.stats.threadGrants());
        }
    }

    private void wake() {
        // Between the write of the request and the read of the state; pairs with the fence in servePause().
        VarHandle.fullFence();
        if (state.get() == ServiceState.PAUSED) {
            host.signal();
        }
    }

    /** Ends the run in the next slice, without waiting for it. */
    public void cancel() {
        loop.schedule.close(clock.nanoTime()); // before the write of cancelled, whose reader ends time at this instant
        cancelled = true;
        host.cancel();
    }

    /** Waits for the end, and abandons a thread that does not end in time. If the physics thread calls it, another thread waits. */
    public void awaitEnd() {
        if (host.isCaller()) {
            letAnotherAwaitEnd();
        } else {
            abandonment.awaitEnd();
        }
    }

    /**
     * Starts a thread that waits for the end and abandons the physics thread if it hangs, in case no other thread waits. Physics thread
     * only.
     */
    private void letAnotherAwaitEnd() {
        if (!endIsAwaited) {
            endIsAwaited = true;
            settings.newThread(abandonment::awaitEnd, "escapement-end").start();
        }
    }

    // ---- slices

    @Override
    public long runSlice(ThreadTimes times) {
        try {
            if (times != threadTimes) {
                threadTimes = times;
                loop.moveTo(times);
            }
            if (begun.getCount() != 0 && !cancelled) {
                begin();
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

    private void begin() throws Exception {
        loop.guard.call(host::beforeBegin);
        loop.begin();
        begun.countDown();
    }

    /**
     * Runs the next tick if it is due, and serves requests while it is not. Returns the instant of the next slice.
     *
     * <pre>
     *   situation                      done               next slice             earlier after a signal
     *   time stands still              requests           in 10 ms or 1 s; at    yes
     *                                                     once if more wait
     *   the tick is far away           requests           in 10 ms               yes
     *   the tick is due                the tick           when the next is due   no
     *   it is due, its source lacks it polls, requests    in 1 ms                yes
     *   the tick is near               nothing            when it is due         no
     * </pre>
     */
    private long runDue() throws Exception {
        wantsSignals = false;
        if (loop.schedule.isPaused()) {
            boolean more = servePause();
            if (loop.schedule.isPaused()) {
                return more ? clock.nanoTime() : stand();
            }
        }
        if (state.get() == ServiceState.PAUSED) {
            state.compareAndSet(ServiceState.PAUSED, ServiceState.RUNNING);
        }
        if (servesNow) {
            servesNow = false;
            loop.idle.runBetweenSteps();
        }
        if (!runNextIfDue(clock.nanoTime() + earlyNanos)) {
            return afterSignalOr(NEXT_LOOK_NANOS);
        }
        if (loop.schedule.isPaused()) {
            return clock.nanoTime();
        }
        return loop.isFar(clock.nanoTime()) ? afterSignalOr(TickSchedule.LOOK_NANOS) : loop.schedule.nextDueNanos();
    }

    /** Returns the instant of the next slice in a pause in which no request waits. */
    private long stand() {
        long untilNanos = afterSignalOr(loop.idle.looksInPause() ? TickSchedule.LOOK_NANOS : STAND_NANOS);
        if (standsUntilNanos - clock.nanoTime() <= 0 || standsUntilNanos - untilNanos > 0) {
            standsUntilNanos = untilNanos;
        }
        return standsUntilNanos;
    }

    /** Serves requests while time stands still. Returns whether more wait. */
    private boolean servePause() throws Exception {
        state.compareAndSet(ServiceState.RUNNING, ServiceState.PAUSED);
        // Between the write of PAUSED and the reads of the requests; pairs with the fence in wake(). Without it a
        // request could come without a signal, and this slice not see it: both would wait.
        VarHandle.fullFence();
        return loop.idle.runPaused();
    }

    /** Runs the next tick if it is due; serves requests if it is far away. Returns false if the tick is due and its source lacks it. */
    private boolean runNextIfDue(long nowNanos) throws Exception {
        if (loop.isFar(nowNanos)) {
            loop.idle.runBetweenTicks();
        } else if (loop.schedule.nextDueNanos() - nowNanos <= 0) {
            if (!loop.prepareNext()) {
                loop.idle.runBetweenTicks();
                return false;
            }
            if (loop.schedule.nextDueNanos() - nowNanos <= 0) { // the source may have moved the tick
                loop.runTick();
            }
        }
        return true;
    }

    private long afterSignalOr(long maxNanos) {
        wantsSignals = true;
        return clock.nanoTime() + maxNanos;
    }

    /**
     * Whether a {@linkplain TickHost#signal() signal} ends the wait for the next slice. If not, an earlier slice would have nothing to do.
     */
    boolean wantsSignals() {
        return wantsSignals;
    }

    @Override
    public void serveInNextSlice() {
        servesNow = true;
    }

    @Override
    public long periodNanos() {
        return loop.schedule.periodNanos();
    }

    @Override
    public World world() {
        return world;
    }

    // ---- the end

    /** Fails the run because its thread dies of {@code thrown}. Call it last on that thread. */
    void endWith(Throwable thrown) {
        fail(thrown);
        end();
    }

    private void fail(Throwable thrown) {
        // The guard leaves user code, so that no watchdog can abandon this thread any more. If this thread was
        // abandoned before, the abandoning thread ends the queues, with its own reason.
        if (loop.guard.exitAfterThrow()) {
            failure.add(thrown);
            endQueues(ServiceState.FAILED); // before the closing below, which may hang
            endTime();
            letAnotherAwaitEnd(); // the close below may hang
            loop.guard.enter();
            loop.fault(TickHook.Fault.Reason.THREW, thrown);
            loop.guard.tryExit();
        }
    }

    /** Ends simulated time. If that throws, too, the run must still end. */
    private void endTime() {
        try {
            loop.endTime();
        } catch (Throwable again) {
            failure.add(again);
        }
    }

    /** Closes the simulation. An abandoned thread calls this, too, when it returns: native memory may belong to that thread. */
    private void end() {
        begun.countDown(); // releases a thread that waits in awaitBegun()
        host.beforeClose(); // no watchdog limits the close, which may take longer than a tick; awaitEnd() does
        loop.guard.enter();
        close();
        if (loop.guard.tryExit()) {
            // After the close: other threads that see the end may reuse what the simulation used, such as an engine's
            // world.
            state.set(isFailing() ? ServiceState.FAILED : ServiceState.CLOSED);
            endQueues(state());
            reportFailure();
        }
    }

    private void close() {
        watched.isClosing = true;
        try {
            loop.close(closeFailed, !BlockedTicks.OF_THIS_JVM.isOwnedByAnother(watched));
        } finally {
            BlockedTicks.OF_THIS_JVM.remove(watched);
        }
    }

    /** Reports the failure. Call it outside of all locks and of the guard: the handler may close the service. Throws nothing. */
    void reportFailure() {
        try {
            failure.cause().ifPresent(cause -> {
                Runnable reporting = () -> report.report(loop.lastPublishedTick(), cause);
                if (settings.onFailure() == null) {
                    reporting.run(); // this only logs: it runs here, so that the line is there when awaitEnd() returns
                } else {
                    host.callHandler(reporting);
                }
            });
        } catch (Throwable noMemory) { // caught, or the thread would end the run again and close the simulation twice
            failure.add(noMemory);
        }
    }

    private void addUnlessAbandoned(Throwable thrown) {
        if (!loop.guard.isAbandoned()) {
            failure.add(thrown);
        }
    }

    /** Refuses input, commands and queries from now on, and fails the ones that wait. A second call finishes an incomplete first one. */
    void endQueues(ServiceState end) {
        loop.input.close();
        try {
            loop.requests.end(new IllegalStateException(
                    "the physics service has ended: " + end, failure.cause().orElse(null)));
        } catch (Throwable noMemory) {
            failure.add(noMemory);
        }
    }

    @Override
    public boolean abandon(long crossings, long nanos) {
        return abandonment.abandonIfHanging(
                crossings,
                "it has been in the code of the simulation, a command, a hook or a device for " + nanos / 1e9 + " s"
                        + Watchdog.debuggerAdvice());
    }

    @Override
    public void orphan(String why) {
        abandonment.orphan(why);
    }

    void failAbandoned(Throwable lost) {
        failure.add(lost);
        endTime(); // here, because an abandoned thread no longer ends time
        state.set(ServiceState.FAILED);
        begun.countDown();
        BlockedTicks.OF_THIS_JVM.remove(watched);
        endQueues(ServiceState.FAILED);
        try {
            host.abandoned();
        } catch (Throwable thrown) { // of the thread policy: if it got out, nobody would close and report
            failure.add(thrown);
        }
    }
}
