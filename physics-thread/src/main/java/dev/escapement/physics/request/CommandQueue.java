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
 * A bounded queue of commands for the physics thread, which keeps the order of each producer.
 *
 * <p>Any thread offers, also the physics thread; the physics thread runs them, a bounded number at a time. Backpressure: a full queue
 * refuses commands, and never waits. A command keeps its place until its future is completed, so that neither commands nor answers pile up.
 * Producers that offer at the same time may exceed the bound by one each.
 *
 * <p><b>Errors.</b> Any call within an offer may end in a stack overflow, because producers call with stacks of any depth. One
 * compare-and-set decides whether a command is in the queue; it is counted afterwards. If the error comes in between, the command runs and
 * the bound grows by one. Only that producer notices. An id that was reserved for the command may remain unused.
 *
 * @see dev.escapement.physics.TickingWorld#command
 */
public final class CommandQueue {

    /** Completes the futures of commands. */
    @FunctionalInterface
    public interface Answers extends Executor {

        /** Ends this, after all queues have ended. Futures that are left or come later are still completed. */
        default void end() {}

        /**
         * Creates the answers of a restarted service.
         *
         * @return where the futures of its queues are completed
         */
        default Answers succeededBy() {
            return this;
        }
    }

    /** The reserved id of a body that a command creates. */
    public interface Reservation {

        /**
         * Checks that the id is valid. Physics thread.
         *
         * @throws IllegalStateException if it is void, because the simulation counts its bodies
         */
        void require();

        /** Gives the id back, because the command creates no body. Any thread. */
        void giveBack();
    }

    private final ConcurrentLinkedQueue<Pending<?>> queue = new ConcurrentLinkedQueue<>();

    /** Spawns that ran before it was known whether the simulation counts its bodies. They are answered when it is known. */
    private final ConcurrentLinkedQueue<Pending<?>> unsettled = new ConcurrentLinkedQueue<>();

    /** Whether it is known whether the simulation counts its bodies. Physics thread only. */
    private boolean settled;

    private final int capacity;
    private final int maxPerRun;
    private final String name;
    private final Answers answers;
    private final UserCodeGuard guard;

    /** How many commands wait, run, or are not answered yet. Only for the bound; nothing is ordered by it. */
    private final AtomicInteger taken = new AtomicInteger();

    private final AtomicLong refused = new AtomicLong();

    /** Counts the calls of {@link #run}. Commands are stamped with it: those offered during a run wait for the next one. */
    private volatile int round;

    /** How many commands ran since they were counted last. Physics thread only. */
    private long ran;

    // Set when no commands run any more. A producer adds its command, and after a full fence reads this. The thread
    // that ends the queue stores this, and after a full fence empties the queue. So at least one of them sees each
    // command.
    private volatile @Nullable Throwable ended;

    // The command that runs. Volatile: if it hangs, the thread that ends the queue must find it.
    private volatile @Nullable Pending<?> running;

    /** The thread that runs a command. Plain: each thread only compares it with itself. */
    private @Nullable Thread runner;

    /**
     * Creates an empty queue.
     *
     * @param name      what the queue contains, for messages
     * @param capacity  how many commands may wait to run or to be answered, at least 2
     * @param maxPerRun how many may run in one call of {@link #run}, at least 1
     * @param answers   where futures are completed
     * @param guard     the guard that knows whether the physics thread was abandoned within a command
     * @throws IllegalArgumentException if a number is out of its range
     */
    public CommandQueue(String name, int capacity, int maxPerRun, Answers answers, UserCodeGuard guard) {
        if (capacity < 2 || maxPerRun < 1) {
            throw new IllegalArgumentException(
                    "a queue of " + name + " needs room for 2 or more and at least 1 at a time, " + "but is to have "
                            + capacity + " and " + maxPerRun);
        }
        this.name = name;
        this.capacity = capacity;
        this.answers = answers;
        this.guard = guard;
        this.maxPerRun = maxPerRun;
    }

    /**
     * Offers a command. Any thread.
     *
     * @param command what to run
     * @param <T>     what it returns
     * @return a future that {@code answers} completes with the command's result, or exceptionally
     */
    public <T> CompletableFuture<Answer<T>> offer(Command<T> command) {
        return offer(command, null);
    }

    /**
     * Offers a command that creates a body. Any thread.
     *
     * @param command     what to run
     * @param reservation the id of the body; given back if the command is refused, is cancelled or throws, but not after the queue has
     *                    ended
     * @param <T>         what it returns
     * @return a future that {@code answers} completes with the command's result, or exceptionally
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
        // Between adding the command and reading ended, here, and the service's state, in the caller.
        VarHandle.fullFence();
        Throwable end = ended;
        if (end != null && pending.tryMove(Pending.WAITING, Pending.DECIDED)) {
            pending.future.completeExceptionally(end);
        }
        return pending.future;
    }

    /**
     * Checks whether a command would be refused, before it is offered, and counts the refusal if the queue is full. Any thread.
     *
     * @return why it would be refused; null if it may be accepted
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
     * Runs the waiting commands, up to the limit, but none that they offer. Physics thread.
     *
     * @param tick the tick number that the commands get
     * @return whether any ran
     */
    public boolean run(long tick) {
        int now = round + 1; // only this thread writes it
        round = now;
        int done = 0;
        while (done < maxPerRun && ended == null) {
            Pending<?> next = queue.peek();
            // By difference, because rounds wrap. If the thread that ends the queue has taken that one, poll returns
            // another or none.
            Pending<?> pending = next == null || next.round - now >= 0 ? null : queue.poll();
            if (pending == null) {
                break;
            }
            done++;
            ran++;
            running = pending;
            Throwable end = ended;
            if (end != null) {
                pending.end(end); // the thread that ended the queue may not have seen it
                break;
            }
            pending.execute(tick);
            if (guard.isAbandoned()) {
                return true; // running stays set: the thread that abandoned this one fails that command
            }
            running = null;
        }
        return done > 0;
    }

    /**
     * Answers the spawns that ran before the first capture, after it has shown whether the simulation counts its bodies. Physics thread.
     */
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
     * How many commands ran since the last call of this. Physics thread.
     *
     * @return commands
     */
    public long takeRan() {
        long taken = ran;
        ran = 0;
        return taken;
    }

    /**
     * Whether commands wait to run. Physics thread.
     *
     * @return true if the limit left some, or some were offered since
     */
    public boolean hasMore() {
        return !queue.isEmpty();
    }

    /**
     * Ends the queue: every command fails from now on, also those that wait or hang. A command that ends its own queue still completes with
     * its result. Called by the physics thread, or by the one that has abandoned it.
     *
     * @param why the exception that futures are completed with
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
     * A command and its answer.
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

        /** Compare-and-set only: exactly one thread decides. */
        private final AtomicInteger state = new AtomicInteger(WAITING);

        // Written by the thread that decides, before it passes this to the executor.
        private @Nullable Answer<T> answer;
        private @Nullable Throwable failure;

        Pending(Command<T> command, @Nullable Reservation reservation) {
            this.command = command;
            this.reservation = reservation;
        }

        boolean tryMove(int from, int to) {
            return state.compareAndSet(from, to);
        }

        /** Runs the command, unless it was decided already. Physics thread. */
        void execute(long tick) {
            if (!tryMove(WAITING, RUNNING)) {
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
            if (!guard.isAbandoned() && tryMove(RUNNING, DECIDED)) {
                answer = result;
                failure = thrown;
                deliver();
            }
        }

        private void deliver() {
            if (failure != null) {
                answers.execute(this);
                giveBack();
            } else if (reservation == null || settled) {
                answers.execute(this);
            } else {
                unsettled.add(this);
                // Volatile read after the volatile add: the thread that ends the queue stores ended before it empties
                // unsettled.
                if (ended != null) {
                    answerUnsettled();
                }
            }
        }

        /** Answers a spawn, which fails if its id is void. Called by the thread that took it out of unsettled. */
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

        /** Fails the command unless it was decided already. Any thread. */
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

        /** Completes the future. Frees the place first, so that a producer that waits for the future finds it free. */
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
