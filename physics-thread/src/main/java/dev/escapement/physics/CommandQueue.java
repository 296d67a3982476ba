package dev.escapement.physics;

import java.lang.invoke.VarHandle;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Commands on their way to the physics thread, in the order of each producer.
 *
 * <p>Any thread offers, the physics thread too; the physics thread runs them, a bounded number at a time. A full queue is the
 * producer's answer, never a wait. A command has its place from when it is offered until its answer is given, so that neither
 * commands nor answers pile up. Producers that offer at the same moment may exceed the bound by one each.
 *
 * <p><b>Errors.</b> Producers come with stacks of any depth, and the virtual machine may refuse any call within an offer. A command is
 * in the queue or is not, by one compare-and-set, and counted after that: one that is in and not counted still runs, and the
 * bound grows by one. So nobody but that producer notices. An id that was reserved for it may remain unused.
 */
final class CommandQueue {

    /** Where the producers' futures are completed. */
    @FunctionalInterface
    interface Answers extends Executor {

        /** After the ends of all queues. What is left, and what comes nevertheless, is given. */
        default void end() {}

        /** For the queues that come after those that have ended. */
        default Answers succeededBy() {
            return this;
        }
    }

    /** The id of a body that a command is to make. */
    interface Reservation {

        /** Physics thread: throws if no body may have it, for the simulation counts its bodies. */
        void require();

        /** Any thread: the command does not make it. */
        void giveBack();
    }

    private final ConcurrentLinkedQueue<Pending<?>> queue = new ConcurrentLinkedQueue<>();

    /** Those that ran, and are to be answered when it is known whether the simulation counts its bodies. */
    private final ConcurrentLinkedQueue<Pending<?>> unsettled = new ConcurrentLinkedQueue<>();

    /** Whether that is known. The physics thread's own. */
    private boolean settled;

    private final int capacity;
    private final int mostAtATime;
    private final String name;
    private final Answers answers;
    private final Heartbeat heartbeat;

    /** Those that wait, run, or are not answered yet. For the bound alone: nothing is found or ordered by it. */
    private final AtomicInteger taken = new AtomicInteger();

    private final AtomicLong refused = new AtomicLong();

    /** Of the physics thread's runs. Any thread stamps its commands with it: those of the run under way wait for the next. */
    private volatile int round;

    // Set once nothing runs commands any more. A producer stores its command, and after a full fence reads this;
    // who ends the queue stores this, and after a full fence empties it. So each command is seen by one of them.
    private volatile @Nullable Throwable ended;

    // The command under way; volatile, because who ends the queue while it hangs must find it.
    private volatile @Nullable Pending<?> running;

    /** Who is within a command. Plain: each thread only compares it with itself. */
    private @Nullable Thread runner;

    CommandQueue(String name, int capacity, int mostAtATime, Answers answers, Heartbeat heartbeat) {
        if (capacity < 2 || mostAtATime < 1) {
            throw new IllegalArgumentException(
                    "a queue of " + name + " needs room for 2 or more and at least 1 at a time, " + "but is to have "
                            + capacity + " and " + mostAtATime);
        }
        this.name = name;
        this.capacity = capacity;
        this.answers = answers;
        this.heartbeat = heartbeat;
        this.mostAtATime = mostAtATime;
    }

    /** Any thread. */
    <T> CompletableFuture<Answer<T>> offer(Command<T> command) {
        return offer(command, null);
    }

    /** Any thread. What is reserved is given back if the command does not fit, is cancelled or throws, but not after the end. */
    <T> CompletableFuture<Answer<T>> offer(Command<T> command, @Nullable Reservation reservation) {
        Pending<T> pending = new Pending<>(command, reservation);
        if (ended == null) {
            if (isFull()) {
                pending.giveBack();
                pending.future.completeExceptionally(refusal());
                return pending.future;
            }
            queue.add(pending);
            taken.getAndIncrement();
        }
        // Between the command and what is read next, here and by the caller.
        VarHandle.fullFence();
        Throwable end = ended;
        if (end != null && pending.moves(Pending.WAITING, Pending.DECIDED)) {
            pending.future.completeExceptionally(end);
        }
        return pending.future;
    }

    /**
     * Any thread: refuses a command before it is offered, and counts it if the queue is full. It may be accepted if this returns
     * null.
     */
    @Nullable
    Throwable refuseIfFullOrEnded() {
        Throwable end = ended;
        return end == null && isFull() ? refusal() : end;
    }

    private boolean isFull() {
        return taken.get() >= capacity;
    }

    private RejectedExecutionException refusal() {
        refused.incrementAndGet();
        return new RejectedExecutionException("all " + capacity + " places of the queue of " + name
                + " are taken, by those that wait to run and by those whose answer was not given yet; wait for some to be"
                + " answered, and let nothing that hangs on a future block");
    }

    /** Physics thread: runs what is there now, but no more than the limit, and nothing that these add. False if nothing was. */
    boolean run(long tick) {
        int now = round + 1; // nobody else writes it
        round = now;
        int done = 0;
        while (done < mostAtATime && ended == null) {
            Pending<?> next = queue.peek();
            // By difference: rounds wrap. Where who ended the queue has taken that one, this takes another or none.
            Pending<?> pending = next == null || next.round - now >= 0 ? null : queue.poll();
            if (pending == null) {
                break;
            }
            done++;
            running = pending;
            Throwable end = ended;
            if (end != null) {
                pending.end(end); // who ended the queue saw it neither there nor here
                break;
            }
            pending.execute(tick);
            if (heartbeat.isAbandoned()) {
                return true; // who abandoned this thread fails what was running, and still finds it
            }
            running = null;
        }
        return done > 0;
    }

    /** Physics thread, after each capture: what may have a body is known since the first, and told to those that wait for it. */
    void settle() {
        settled = true;
        answerUnsettled();
    }

    private void answerUnsettled() {
        for (Pending<?> pending = unsettled.poll(); pending != null; pending = unsettled.poll()) {
            pending.settle();
        }
    }

    /** Physics thread: whether some were left by the limit, or are being offered. */
    boolean hasMore() {
        return !queue.isEmpty();
    }

    /**
     * The physics thread, or who has abandoned it: from now on every command fails at once, those that wait or hang too. One that
     * ends its own queue has an answer of its own.
     */
    void end(Throwable why) {
        ended = why;
        VarHandle.fullFence();
        Pending<?> hanging = running;
        if (hanging != null && runner != Thread.currentThread()) {
            hanging.end(why);
        }
        for (Pending<?> pending = queue.poll(); pending != null; pending = queue.poll()) {
            pending.end(why);
        }
        answerUnsettled();
    }

    long refused() {
        return refused.get();
    }

    /**
     * A command, and its answer as soon as there is one.
     *
     * <pre>
     *   waiting --physics thread--> running --physics thread--> decided: by what came of it
     *      |                           '-----who has abandoned it--> decided: the end
     *      '----------who offers it, or ends the queue-------------> decided: the end
     * </pre>
     */
    private final class Pending<T> implements Runnable {

        private static final int WAITING = 0;
        private static final int RUNNING = 1;
        private static final int DECIDED = 2;

        final CompletableFuture<Answer<T>> future = new CompletableFuture<>();
        final int round = CommandQueue.this.round;
        private final Command<T> command;
        private final @Nullable Reservation reservation;

        /** Compare-and-set only: of those that want to decide, one does. */
        private final AtomicInteger state = new AtomicInteger(WAITING);

        // Written by the one that decides, before it hands this to the executor.
        private @Nullable Answer<T> answer;
        private @Nullable Throwable failure;

        Pending(Command<T> command, @Nullable Reservation reservation) {
            this.command = command;
            this.reservation = reservation;
        }

        boolean moves(int from, int to) {
            return state.compareAndSet(from, to);
        }

        /** Physics thread. Does nothing if it was decided meanwhile. */
        void execute(long tick) {
            if (!moves(WAITING, RUNNING)) {
                return;
            }
            Answer<T> result = null;
            Throwable thrown = null;
            runner = Thread.currentThread();
            try {
                if (future.isDone()) {
                    throw new CancellationException("its producer did not wait for it"); // and is not told
                }
                if (reservation != null) {
                    reservation.require();
                }
                result = new Answer<>(tick, command.run(tick));
            } catch (Throwable whyNot) {
                thrown = whyNot;
            }
            runner = null;
            if (!heartbeat.isAbandoned() && moves(RUNNING, DECIDED)) {
                answer = result;
                failure = thrown;
                hand();
            }
        }

        private void hand() {
            if (failure != null) {
                answers.execute(this);
                giveBack();
            } else if (reservation == null || settled) {
                answers.execute(this);
            } else {
                unsettled.add(this);
                // Volatile, after the volatile store above: who ended the queue stored this before it looked there.
                if (ended != null) {
                    answerUnsettled();
                }
            }
        }

        /** The thread that took it from the unsettled. */
        void settle() {
            try {
                if (reservation != null) {
                    reservation.require();
                }
            } catch (IllegalStateException counted) {
                answer = null;
                failure = counted;
            }
            answers.execute(this);
        }

        /** Any thread: fails it unless something else was decided. */
        void end(Throwable why) {
            if (state.getAndSet(DECIDED) != DECIDED) {
                failure = why;
                answers.execute(this);
            }
        }

        void giveBack() {
            if (reservation != null) {
                reservation.giveBack();
            }
        }

        /** Gives the answer. The place first: who was answered finds it free. */
        @Override
        public void run() {
            taken.getAndDecrement();
            if (failure == null) {
                future.complete(answer);
            } else {
                future.completeExceptionally(failure);
            }
        }
    }
}
