package dev.escapement.physics.request;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.Command;
import dev.escapement.physics.guard.UserCodeGuard;
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
 * A bounded queue of commands for the physics thread, in the order of each producer.
 *
 * <p>Any thread offers, the physics thread too; the physics thread runs them, a bounded number at a time. A full queue refuses, and never
 * waits. A command has its place from when it is offered until its answer is given, so that neither commands nor answers pile up.
 * Producers that offer at the same moment may exceed the bound by one each.
 *
 * <p><b>Errors.</b> Producers call with stacks of any depth, and any call within an offer may end in a stack overflow. One compare-and-set
 * decides whether a command is in the queue, and it is counted after that: one that is in and not counted still runs, and the
 * bound grows by one. Only that producer notices. An id that was reserved for it may remain unused.
 *
 * @see dev.escapement.physics.TickingWorld#command
 */
public final class CommandQueue {

    /** Completes the futures of commands. */
    @FunctionalInterface
    public interface Answers extends Executor {

        /** Ends, after all queues have ended. Answers that are left or come later are still given. */
        default void end() {}

        /**
         * For the queues that follow those that have ended.
         *
         * @return where their futures are completed
         */
        default Answers succeededBy() {
            return this;
        }
    }

    /** The reserved id of a body that a command makes. */
    public interface Reservation {

        /**
         * Checks that a body may have the id. Physics thread.
         *
         * @throws IllegalStateException if none may, because the simulation counts its bodies
         */
        void require();

        /** Gives the id back, because the command makes no body. Any thread. */
        void giveBack();
    }

    private final ConcurrentLinkedQueue<Pending<?>> queue = new ConcurrentLinkedQueue<>();

    /** Those that ran before it was known whether the simulation counts its bodies; they are answered when it is. */
    private final ConcurrentLinkedQueue<Pending<?>> unsettled = new ConcurrentLinkedQueue<>();

    /** Whether that is known. Physics thread only. */
    private boolean settled;

    private final int capacity;
    private final int mostAtATime;
    private final String name;
    private final Answers answers;
    private final UserCodeGuard guard;

    /** How many wait, run, or are not answered yet. For the bound alone: nothing is ordered by it. */
    private final AtomicInteger taken = new AtomicInteger();

    private final AtomicLong refused = new AtomicLong();

    /** Counts the runs of the physics thread. Commands are stamped with it: those offered during a run wait for the next one. */
    private volatile int round;

    // Set once nothing runs commands any more. A producer stores its command, and after a full fence reads this;
    // the thread that ends the queue stores this, and after a full fence empties it. So one of them sees each command.
    private volatile @Nullable Throwable ended;

    // The command that runs; volatile, because the thread that ends the queue while it hangs must find it.
    private volatile @Nullable Pending<?> running;

    /** The thread that is within a command. Plain: each thread only compares it with itself. */
    private @Nullable Thread runner;

    /**
     * Creates an empty queue.
     *
     * @param name      what it is a queue of, for messages
     * @param capacity  how many commands wait to run or to be answered at most, at least 2
     * @param mostAtATime how many run at a time at most, at least 1
     * @param answers   where futures are completed
     * @param guard     tells whether the physics thread was abandoned within a command
     * @throws IllegalArgumentException if a number is out of its range
     */
    public CommandQueue(String name, int capacity, int mostAtATime, Answers answers, UserCodeGuard guard) {
        if (capacity < 2 || mostAtATime < 1) {
            throw new IllegalArgumentException(
                    "a queue of " + name + " needs room for 2 or more and at least 1 at a time, " + "but is to have "
                            + capacity + " and " + mostAtATime);
        }
        this.name = name;
        this.capacity = capacity;
        this.answers = answers;
        this.guard = guard;
        this.mostAtATime = mostAtATime;
    }

    /**
     * Offers a command. Any thread.
     *
     * @param command what to run
     * @param <T>     what it returns
     * @return is completed by the answers with what the command returned, or exceptionally
     */
    public <T> CompletableFuture<Answer<T>> offer(Command<T> command) {
        return offer(command, null);
    }

    /**
     * Offers a command that makes a body. Any thread.
     *
     * @param command     what to run
     * @param reservation the id of the body; given back if the command does not fit, is cancelled or throws, but not after the end
     * @param <T>         what it returns
     * @return is completed by the answers with what the command returned, or exceptionally
     */
    public <T> CompletableFuture<Answer<T>> offer(Command<T> command, @Nullable Reservation reservation) {
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
     * Refuses a command before it is offered, and counts it if the queue is full. Any thread.
     *
     * @return why it is refused; null if it may be accepted
     */
    public @Nullable Throwable refuseIfFullOrEnded() {
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
                + " answered, and let nothing that is attached to a future block");
    }

    /**
     * Runs the commands that are there now, up to the limit, and none that these add. Physics thread.
     *
     * @param tick what they are told
     * @return whether there were any
     */
    public boolean run(long tick) {
        int now = round + 1; // no other thread writes it
        round = now;
        int done = 0;
        while (done < mostAtATime && ended == null) {
            Pending<?> next = queue.peek();
            // By difference: rounds wrap. If the thread that ended the queue has taken that one, this takes another or
            // none.
            Pending<?> pending = next == null || next.round - now >= 0 ? null : queue.poll();
            if (pending == null) {
                break;
            }
            done++;
            running = pending;
            Throwable end = ended;
            if (end != null) {
                pending.end(end); // the thread that ended the queue saw it neither there nor here
                break;
            }
            pending.execute(tick);
            if (guard.isAbandoned()) {
                return true; // the thread that abandoned this one fails the running command, and must still find it
            }
            running = null;
        }
        return done > 0;
    }

    /** Answers spawns that ran before the first capture: it has told whether the simulation counts its bodies. Physics thread. */
    public void settle() {
        settled = true;
        answerUnsettled();
    }

    private void answerUnsettled() {
        for (Pending<?> pending = unsettled.poll(); pending != null; pending = unsettled.poll()) {
            pending.settle();
        }
    }

    /**
     * Whether more can be run. Physics thread.
     *
     * @return true if the limit left some, or some were offered since
     */
    public boolean hasMore() {
        return !queue.isEmpty();
    }

    /**
     * Ends the queue: from now on every command fails at once, also those that wait or hang. A command that ends its own queue keeps the
     * answer that it returns. The physics thread, or the one that has abandoned it.
     *
     * @param why what futures are completed with
     */
    public void end(Throwable why) {
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

    /**
     * How many commands were refused because the queue was full. Any thread.
     *
     * @return commands
     */
    public long refused() {
        return refused.get();
    }

    /**
     * A command, and its answer as soon as there is one.
     *
     * <pre>
     *   waiting --physics thread--> running ----physics thread-------> decided: returned or threw
     *      |                           '---the thread that abandons--> decided: the end
     *      '----------the one that offers, or ends the queue---------> decided: the end
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

        // Written by the thread that decides, before it hands this to the executor.
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
            if (!guard.isAbandoned() && moves(RUNNING, DECIDED)) {
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
                // Volatile, after the volatile store above: the thread that ended the queue stored this before it
                // looked there.
                if (ended != null) {
                    answerUnsettled();
                }
            }
        }

        /** By the thread that took it from the unsettled. */
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

        /** Gives the answer. Frees the place first, so that the producer that is answered finds it free. */
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
