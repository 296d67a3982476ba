package dev.escapement.physics.request;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.Command;
import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.physics.usercode.UserCodeGuard;
import java.lang.invoke.VarHandle;
import java.util.Optional;
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
 * <p>Any thread offers commands, even the physics thread, which runs them, a bounded number at a time. Backpressure: a full queue refuses
 * commands, and never waits. A command keeps its place until its future is completed, so that neither commands nor answers pile up.
 * Producers that offer at the same time may exceed the bound by one each.
 *
 * <p><b>Errors.</b> Any call within an offer may end in a stack overflow, because producers call with stacks of any depth. First the
 * command takes a place, then one compare-and-set adds it to the queue. If the error comes in between, that place is lost for good; only
 * that producer gets the error. An id that was reserved for the command may remain unused.
 *
 * <p>See {@code TickingWorld.command}.
 */
public final class CommandQueue {

    /** Completes the futures of commands. */
    @FunctionalInterface
    public interface Answers extends Executor {

        /** Called after all queues have ended. Futures that are left or come later are still completed. */
        default void end() {}
    }

    private final ConcurrentLinkedQueue<PendingCommand<?>> queue = new ConcurrentLinkedQueue<>();

    private final int capacity;
    private final int maxPerRun;
    final String name;
    final Answers answers;
    final UserCodeGuard guard;

    /**
     * The number of commands that wait, run, or are not answered yet: for the bound, and for isIdle(). No other memory access is ordered by
     * it.
     */
    final AtomicInteger placesTaken = new AtomicInteger();

    private final AtomicLong refused = new AtomicLong();

    /** The number of commands that threw. Written by the thread that runs them; atomic so that any thread may read it. */
    private final AtomicLong failed = new AtomicLong();

    /**
     * The number of calls of {@link #run}, each of which is a round. A command is stamped with the round in which it was offered, and runs
     * only in a later one. Volatile: a command that a running command offers, on any thread, must get the present round; with an older
     * round it would run within the same call.
     */
    volatile int round;

    /** The tick number that the next command gets. Physics thread only. */
    private long tick;

    // Null while commands run. A producer adds its command, and after a full fence reads this. The thread that ends the
    // queue stores this, and after a full fence empties the queue. So at least one of them sees each command; without
    // both fences a command could stay in the queue, and its future never complete.
    private volatile @Nullable Throwable ended;

    /** The commands that ran, and whose answers wait for {@link #answerHeld}. Several threads may take them, each once. */
    private final ConcurrentLinkedQueue<PendingCommand<?>> held = new ConcurrentLinkedQueue<>();

    /** Whether the answers of commands that own something are held, as they are from the start. Physics thread only. */
    private boolean isHolding = true;

    // The command that runs. Volatile: if it hangs, the thread that ends the queue must find it.
    private volatile @Nullable PendingCommand<?> running;

    /** The thread that runs a command. Plain: each thread only compares it with itself. */
    @Nullable
    Thread runner;

    /**
     * Creates an empty queue.
     *
     * @param name      what the queue contains, for messages
     * @param capacity  how many commands may wait to run or to be answered, at least 2
     * @param maxPerRun how many may run in one call of {@link #run}, at least 1
     * @param answers   completes the futures
     * @param guard     the guard that knows whether the physics thread was abandoned within a command
     * @throws IllegalArgumentException if a number is out of its range
     */
    public CommandQueue(String name, int capacity, int maxPerRun, Answers answers, UserCodeGuard guard) {
        if (capacity < 2 || maxPerRun < 1) {
            throw new IllegalArgumentException(
                    "a queue of " + name + " needs room for 2 or more and at least 1 at a time, but is to have "
                            + capacity + " and " + maxPerRun);
        }
        this.name = name;
        this.capacity = capacity;
        this.answers = answers;
        this.guard = guard;
        this.maxPerRun = maxPerRun;
    }

    /** {@return whether answers are held} Physics thread. */
    public boolean isHolding() {
        return isHolding;
    }

    /**
     * Delivers the held answers, and holds no more. Physics thread.
     *
     * @param why the exception of their futures; null for the commands' own results
     */
    public void answerHeld(@Nullable Throwable why) {
        isHolding = false;
        takeHeld(why);
    }

    private void takeHeld(@Nullable Throwable why) {
        for (PendingCommand<?> next = held.poll(); next != null; next = held.poll()) {
            next.deliver(why);
        }
    }

    void addHeld(PendingCommand<?> command) {
        held.add(command);
        // After the add, because end() stores this before it takes: so at least one of the two sees the command.
        if (ended != null) {
            takeHeld(null);
        }
    }

    /**
     * Offers a command. Any thread.
     *
     * @param command what to run
     * @param <T>     what it returns
     * @return a future that {@code answers} completes with the command's result, or exceptionally
     */
    public <T extends @Nullable Object> CompletableFuture<Answer<T>> offer(Command<T> command) {
        return offer(command, null, command);
    }

    /**
     * Offers a command that may own something, for example a reserved id. Any thread.
     *
     * @param command what to run
     * @param release frees what the command owns if the command is refused, is cancelled or throws, but not after the queue has ended; null
     *                if it owns nothing
     * @param what    names it in messages: the user's command, or its type
     * @param <T>     what it returns
     * @return a future that {@code answers} completes with the command's result, or exceptionally
     */
    public <T extends @Nullable Object> CompletableFuture<Answer<T>> offer(
            Command<T> command, @Nullable Runnable release, Object what) {
        PendingCommand<T> pending = new PendingCommand<>(this, command, release, what);
        if (ended == null) {
            if (isFull()) {
                pending.release();
                pending.refuse(refusal());
                return pending.future;
            }
            // Counted before it is added: isIdle() must not miss a command whose offer ends in a stack overflow after
            // the add.
            placesTaken.getAndIncrement();
            queue.add(pending);
        }
        // Orders the add before two reads: of ended, here, and of the service's state, in callers that may wake the
        // service.
        VarHandle.fullFence();
        Throwable end = ended;
        if (end != null && pending.tryMove(PendingCommand.WAITING, PendingCommand.DECIDED)) {
            pending.refuse(end);
        }
        return pending.future;
    }

    /**
     * {@return why a command that is offered next would be refused; null if it may be accepted} Counts the refusal if the queue is full.
     * Any thread.
     */
    public @Nullable Throwable refuseIfFullOrEnded() {
        Throwable end = ended;
        return end == null && isFull() ? refusal() : end;
    }

    private boolean isFull() {
        return placesTaken.get() >= capacity;
    }

    private RejectedExecutionException refusal() {
        refused.incrementAndGet();
        return new RejectedExecutionException("all " + capacity + " places of the queue of " + name
                + " are taken, by those that wait to run and by those whose answer was not given yet; wait for some to be"
                + " answered, and attach nothing to a future that blocks");
    }

    /**
     * Runs the waiting commands, up to the limit; commands that these offer wait for the next call. Physics thread.
     *
     * @param before the tick number that the commands get
     * @return how many ran
     */
    public int run(long before) {
        tick = before;
        int now = round + 1; // only this thread writes it
        round = now;
        int done = 0;
        while (done < maxPerRun && ended == null) {
            PendingCommand<?> next = queue.peek();
            // Compares rounds by difference, because they wrap. If the thread that ends the queue has taken next, poll
            // returns another command or none.
            PendingCommand<?> pending = next == null || next.round - now >= 0 ? null : queue.poll();
            if (pending == null) {
                break;
            }
            done++;
            running = pending;
            Throwable end = ended;
            if (end != null) {
                pending.end(end); // the thread that ended the queue may not have seen it in running
                break;
            }
            pending.execute(tick);
            if (guard.isAbandoned()) {
                return done; // running stays set: the thread that abandoned this one fails that command
            }
            running = null;
        }
        return done;
    }

    /** {@return whether no command waits or runs, and all are answered} It costs less than {@link #run}. Physics thread. */
    public boolean isIdle() {
        return placesTaken.get() == 0;
    }

    /**
     * Sets the tick number of the next commands, within a call of {@link #run}, because a command has let the run seek. Physics thread.
     *
     * @param before the number
     */
    public void continueBefore(long before) {
        tick = before;
    }

    /** {@return whether commands wait to run: the limit left some, or some were offered since} Physics thread. */
    public boolean hasMore() {
        return !queue.isEmpty();
    }

    /**
     * Ends the queue: every command fails from now on, also a command that waits or hangs. A command that ends its own queue still
     * completes with its result. Any thread, once no other runs the queue: the physics thread, one that has abandoned it, or one that
     * failed to start it.
     *
     * @param why the exception that futures are completed with
     */
    public void end(Throwable why) {
        ended = why;
        VarHandle.fullFence();
        PendingCommand<?> hanging = running;
        if (hanging != null && runner != Thread.currentThread()) {
            hanging.end(why);
        }
        for (PendingCommand<?> pending = queue.poll(); pending != null; pending = queue.poll()) {
            pending.end(why);
        }
        takeHeld(null); // they ran, so they have their own results
    }

    /** {@return the number of commands that were refused because the queue was full} Any thread. */
    public long refused() {
        return refused.get();
    }

    /** {@return the number of commands that threw; the first was logged} Any thread. */
    public long failed() {
        return failed.getOpaque();
    }

    /** Counts a command that threw, and logs the first. Called by the thread that runs commands, unless it was abandoned. */
    void countFailure(PendingCommand<?> command, long tick, Throwable thrown) {
        if (failed.getAndIncrement() == 0) {
            FailureReport.warn(
                    () -> "Before tick " + tick + ", thread '"
                            + Thread.currentThread().getName() + "' ran " + command + ", which threw "
                            + FailureReport.describe(thrown)
                            + ". Its future has the cause. It is the first; those after it are only counted, in failedCommands().");
        }
    }

    /** {@return the name in messages of the command that runs now; empty if none runs} Any thread. */
    public Optional<String> running() {
        return Optional.ofNullable(running).map(PendingCommand::toString);
    }
}
