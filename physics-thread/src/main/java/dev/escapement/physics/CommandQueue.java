package dev.escapement.physics;

import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Commands on their way to the physics thread, in the order of each producer.
 *
 * <p>Any thread offers, the physics thread too; the physics thread runs them, a bounded number at a time. A full queue is the
 * producer's answer, never a wait. Several consumers, because whoever abandons a thread that hangs empties the queue in its place.
 */
final class CommandQueue {

    private final MpmcVarHandleArrayQueue<Pending<?>> queue;
    private final int mostAtATime;
    private final String name;
    private final Executor answers;
    private final Heartbeat heartbeat;
    private final AtomicLong refused = new AtomicLong();

    // Set once nothing runs commands any more. A producer stores its command, and after a full fence reads this;
    // who ends the queue stores this, and after a full fence empties it. So each command is seen by one of them.
    private volatile @Nullable Throwable ended;

    // The command under way; volatile, because who ends the queue while it hangs must find it.
    private volatile @Nullable Pending<?> running;

    CommandQueue(String name, int capacity, int mostAtATime, Executor answers, Heartbeat heartbeat) {
        if (capacity < 2 || mostAtATime < 1) {
            throw new IllegalArgumentException(
                    "a queue of " + name + " needs room for 2 or more and at least 1 at a time, " + "but is to have "
                            + capacity + " and " + mostAtATime);
        }
        this.name = name;
        this.answers = answers;
        this.heartbeat = heartbeat;
        this.mostAtATime = mostAtATime;
        queue = new MpmcVarHandleArrayQueue<>(capacity);
    }

    /** Any thread. */
    <T> CompletableFuture<Answer<T>> offer(Command<T> command) {
        return offer(command, CommandQueue::doNothing);
    }

    /** Any thread. {@code ifUnused} runs, on whatever thread finds out, if the command is refused, cancelled or throws. */
    <T> CompletableFuture<Answer<T>> offer(Command<T> command, Runnable ifUnused) {
        Pending<T> pending = new Pending<>(command, ifUnused);
        if (ended == null && !queue.offer(pending)) {
            ifUnused.run();
            pending.fail(refusal());
        }
        // Between the command and what is read next, here and by the caller: the queue's own store is a release only.
        VarHandle.fullFence();
        Throwable end = ended;
        if (end != null) {
            pending.fail(end);
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
        return end == null && queue.size() >= queue.capacity() ? refusal() : end;
    }

    private RejectedExecutionException refusal() {
        refused.incrementAndGet();
        return new RejectedExecutionException(
                "all " + queue.capacity() + " places of the queue of " + name + " are taken; wait for some to be done");
    }

    /** Physics thread: runs what is there now, but no more than the limit, and nothing that these add. False if nothing was. */
    boolean run(long tick) {
        int most = Math.min(mostAtATime, queue.size());
        for (int i = 0; i < most; i++) {
            Pending<?> pending = ended == null ? queue.relaxedPoll() : null;
            if (pending == null) {
                return i > 0;
            }
            running = pending;
            if (ended != null) {
                pending.failOn(answers, ended); // who ended the queue saw it neither there nor here
                return i > 0;
            }
            Runnable completion = pending.run(tick);
            if (heartbeat.isAbandoned()) {
                return true; // who abandoned this thread fails what was running, and still finds it
            }
            answers.execute(completion);
            running = null;
        }
        return most > 0;
    }

    /** Physics thread: whether some were left by the limit, or are being offered. */
    boolean hasMore() {
        return !queue.isEmpty();
    }

    /** The physics thread, or who has abandoned it: from now on every command fails at once, those that wait or hang too. */
    void end(Throwable why) {
        ended = why;
        VarHandle.fullFence();
        Pending<?> hanging = running;
        if (hanging != null) {
            hanging.failOn(answers, why);
        }
        // Not the relaxed one: it would stop before a command that is just being stored, and leave those behind it.
        for (Pending<?> pending = queue.poll(); pending != null; pending = queue.poll()) {
            pending.failOn(answers, why);
        }
    }

    long refused() {
        return refused.get();
    }

    private static void doNothing() {}

    private static final class Pending<T> {

        final CompletableFuture<Answer<T>> future = new CompletableFuture<>();
        private final Command<T> command;
        private final Runnable ifUnused;

        Pending(Command<T> command, Runnable ifUnused) {
            this.command = command;
            this.ifUnused = ifUnused;
        }

        /** What completes the future; whoever runs it decides whether it still may. */
        Runnable run(long tick) {
            if (future.isDone()) {
                ifUnused.run();
                return CommandQueue::doNothing; // cancelled by its producer
            }
            try {
                Answer<T> answer = new Answer<>(tick, command.run(tick));
                return () -> future.complete(answer);
            } catch (Throwable thrown) {
                ifUnused.run();
                return () -> fail(thrown);
            }
        }

        void fail(Throwable why) {
            future.completeExceptionally(why);
        }

        void failOn(Executor answers, Throwable why) {
            answers.execute(() -> fail(why));
        }
    }
}
