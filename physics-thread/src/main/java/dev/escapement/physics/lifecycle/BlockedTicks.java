package dev.escapement.physics.lifecycle;

import dev.escapement.physics.loop.TickLoop;
import dev.escapement.physics.measure.RunStats;
import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.physics.usercode.Watchdog;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.time.Waiter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Logs calls of user code that block a physics thread for a second or longer, while they still block it, and slow motion that lasts for
 * two seconds. Knows all services from their start until their simulations are closed, so that no two tick one simulation.
 *
 * <p>One daemon thread looks at all services once a second. It starts with the first service and ends with the last.
 *
 * <p>Any thread. Physics threads take its lock only at their start and end.
 *
 * <p>See {@code PhysicsServiceBuilder.watchdog}.
 */
final class BlockedTicks {

    static final BlockedTicks OF_THIS_JVM = new BlockedTicks();

    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int SLOW_LOOKS = 3;

    /** From this share of the requested speed on, people hardly see slow motion. */
    private static final double HARDLY_SLOW = 0.95;

    /** Guarded by this object. Removing from it allocates nothing, because memory may have run out. */
    final List<Watched> all = new ArrayList<>();

    /** Wakes the daemon thread; null while there is none. */
    private @Nullable Pacer pacer;

    private static void report(TickLoop loop, long seconds) {
        Thread thread = Objects.requireNonNull(loop.guard.thread(), "it has entered user code");
        FailureReport.warn(
                () -> "Tick " + (loop.lastPublishedTick() + 1) + " waits: thread '" + thread.getName()
                        + "' has been in "
                        + loop.requests
                                .running()
                                .orElseGet(() -> loop.simulation.getClass().getName())
                        + " for " + seconds + " s, " + location(thread.getStackTrace())
                        + ". Readers keep the last window; input and commands wait. Do what takes long on another thread. Of"
                        + " later calls, one that takes twice as long is logged; watchdog(...) fails the service if a call hangs.");
    }

    /** Adds a service. Throws an {@link IllegalStateException} if another one ticks its simulation. */
    synchronized void add(Watched service) {
        if (isOwnedByAnother(service)) {
            throw new IllegalStateException("another service ticks " + FailureReport.nameOf(service.loop.simulation)
                    + " already, and two would step it twice; close that one first, or attach more readers to it");
        }
        all.add(service);
        if (pacer == null) {
            Pacer looks = new Pacer(NanoClock.system(), Waiter.system(), WaitStrategy.PARK_ONLY);
            Thread thread = new Thread(null, () -> run(looks), "escapement-blocked-ticks", 0, false);
            thread.setDaemon(true);
            thread.setContextClassLoader(null); // else the thread would keep the class loader of a game loaded
            thread.start();
            pacer = looks;
        }
    }

    synchronized void remove(Watched service) {
        all.remove(service);
        if (all.isEmpty() && pacer != null) {
            pacer.cancel();
            pacer = null;
        }
    }

    /** Whether another service ticks the simulation of a service. Allocates nothing, because memory may have run out. */
    synchronized boolean isOwnedByAnother(Watched service) {
        boolean found = false;
        for (int i = 0; i < all.size(); i++) {
            found |= all.get(i) != service && all.get(i).loop.simulation == service.loop.simulation;
        }
        return found;
    }

    private void run(Pacer looks) {
        NanoClock clock = NanoClock.system();
        while (looks.awaitUntil(clock.nanoTime() + LOOK_NANOS)) {
            look(); // without the lock, because a logger may block
        }
    }

    void look() {
        List<Watched> looked;
        synchronized (this) {
            looked = List.copyOf(all);
        }
        looked.forEach(Watched::look);
        List<Watched> slow = looked.stream().filter(Watched::isNewlySlow).toList();
        if (!slow.isEmpty()) { // one line: a busy machine slows all services down
            RunStats stats = slow.get(0).loop.stats;
            FailureReport.warn(() -> slow.get(0).loop.settings.title()
                    + (slow.size() == 1 ? "" : " (and others: " + (slow.size() - 1) + ")")
                    + " has been slow for 2 s. " + stats.slowMotion()
                    + (stats.hasLongSteps()
                            ? ". Simulate less, or lower the rate; if your step alone is short, other programs have the cores. "
                            : ". Other programs have the cores, unless your step is long now and then: then simulate less. ")
                    + stats.windowAdvice());
        }
    }

    /** Names a thread's place in one line: its innermost call, and up to three callers of it that are not the JDK's. */
    static String location(StackTraceElement[] trace) {
        if (trace.length == 0) {
            return "and has ended";
        }
        Stream<String> callers = Stream.of(trace)
                .skip(1)
                .filter(call -> !call.getClassName().matches("(java|jdk|sun)[.].*"))
                .limit(3)
                .map(StackTraceElement::toString);
        return "at " + Stream.concat(Stream.of(trace[0].toString()), callers).collect(Collectors.joining(", in "))
                + adviceOnFutures(trace);
    }

    /**
     * {@return advice if the thread waits for a future; else an empty text} A command's own future throws if the physics thread waits for
     * it, but a future of {@code allOf(...)} does not.
     */
    static String adviceOnFutures(StackTraceElement[] trace) {
        String future = CompletableFuture.class.getName();
        boolean waits = Stream.of(trace)
                .anyMatch(call -> call.getClassName().equals(future)
                        && call.getMethodName().matches("get|join"));
        return waits
                ? ". It waits for a future: if a command or query of this service is to complete it, as in allOf(...), it waits for"
                        + " itself for ever; continue with thenAccept(...)"
                : "";
    }

    /**
     * The entry of a service, with the duration from which a call is reported.
     *
     * <p>Each call is reported once at most. After a report, that duration is twice the reported one. So a game that loads for some seconds
     * now and then causes only a few reports, but a call that never returns is always reported.
     */
    static final class Watched {

        private final TickLoop loop;
        private final Watchdog watchdog;
        private long reportAfterSeconds = 1;
        private boolean reported;
        private long tickBefore;

        /** Volatile: the daemon thread reads it, and could else report a long close as a tick that waits. */
        volatile boolean isClosing;

        /** How many looks in a row have found slow motion; once that was reported, how many looks there were. */
        private int slowLooks;

        Watched(TickLoop loop) {
            this.loop = loop;
            watchdog = new Watchdog(loop.guard);
        }

        void look() {
            long seconds = watchdog.look();
            if (seconds == 0 || isClosing) {
                reported = false;
            } else if (seconds >= reportAfterSeconds && !reported) {
                reported = true;
                reportAfterSeconds = 2 * seconds;
                report(loop, seconds);
            }
        }

        /** Whether slow motion has just lasted for two seconds, for the first time. No tick runs in a pause, which does not count. */
        private boolean isNewlySlow() {
            long before = tickBefore;
            tickBefore = loop.lastPublishedTick();
            boolean isOwn = loop.settings.replicated() == null || loop.stats.hasLongSteps();
            boolean isSlow = isOwn && loop.stats.speed() < HARDLY_SLOW && tickBefore != before;
            slowLooks = isSlow || slowLooks >= SLOW_LOOKS ? slowLooks + 1 : 0;
            return slowLooks == SLOW_LOOKS;
        }
    }
}
