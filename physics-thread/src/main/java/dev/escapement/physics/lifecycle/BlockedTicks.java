package dev.escapement.physics.lifecycle;

import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.loop.TickLoop;
import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.physics.usercode.Watchdog;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.time.Waiter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Logs each call of user code that blocks a physics thread for a second or longer, while the call still blocks it.
 *
 * <p>One daemon thread looks at the guards of all services once a second. It starts with the first service and ends with the last.
 *
 * <p>Any thread. Physics threads take its lock only at their start and end.
 *
 * @see PhysicsServiceBuilder#watchdog
 */
final class BlockedTicks {

    static final BlockedTicks OF_THIS_JVM = new BlockedTicks();

    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    final List<Watched> all = new CopyOnWriteArrayList<>();

    /** Wakes the daemon thread; null while there is none. */
    private @Nullable Pacer pacer;

    BlockedTicks() {}

    static Watched watched(TickLoop loop) {
        return new Watched(loop.guard, seconds -> report(loop, seconds));
    }

    private static void report(TickLoop loop, long seconds) {
        Thread thread = Objects.requireNonNull(loop.guard.thread(), "it has entered user code");
        FailureReport.warn(
                () -> "Tick " + (loop.lastPublished() + 1) + " waits: thread '" + thread.getName()
                        + "' has been in "
                        + loop.requests
                                .running()
                                .orElseGet(() -> loop.simulation.getClass().getName())
                        + " for " + seconds + " s, " + place(thread.getStackTrace())
                        + ". Readers keep the last window; input and commands wait. Do what takes long on another thread. Of"
                        + " later calls, one that takes twice as long is logged; watchdog(...) fails the service if a call hangs.");
    }

    synchronized void add(Watched service) {
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

    private void run(Pacer looks) {
        NanoClock clock = NanoClock.system();
        while (looks.awaitUntil(clock.nanoTime() + LOOK_NANOS)) {
            all.forEach(Watched::look); // without the lock, because a logger may block
        }
    }

    /** Names a thread's place in one line: its innermost call, and up to three callers of it that are not the JDK's. */
    static String place(StackTraceElement[] trace) {
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

        private final Watchdog watchdog;
        private final LongConsumer report;
        private long reportAfterSeconds = 1;
        private boolean reported;

        Watched(UserCodeGuard guard, LongConsumer report) {
            watchdog = new Watchdog(guard);
            this.report = report;
        }

        void look() {
            long seconds = watchdog.look();
            if (seconds == 0) {
                reported = false;
            } else if (seconds >= reportAfterSeconds && !reported) {
                reported = true;
                reportAfterSeconds = 2 * seconds;
                report.accept(seconds);
            }
        }
    }
}
