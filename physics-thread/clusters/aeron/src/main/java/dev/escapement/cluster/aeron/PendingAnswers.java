package dev.escapement.cluster.aeron;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.request.AnswerThread;
import dev.escapement.physics.request.CommandQueue;
import dev.escapement.state.time.NanoClock;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Completes the futures of commands that were offered here, each in one of three ways.
 *
 * <ol>
 *   <li><b>It ran</b> on this node: with the result, or with the exception of its handler. In a process that is no node: when the command
 *       is in the log.
 *   <li><b>Refused</b>: with a {@link RejectedExecutionException} that says why. It never runs, on any node.
 *   <li><b>Unknown</b>: with a {@link TimeoutException}, if the cluster has not answered within a timeout, or before this ended.
 * </ol>
 *
 * <p>Any thread may call any method, except {@link #found}.
 */
final class PendingAnswers {

    /** A command without an answer fails after this time: longer than an election takes, or commands would fail in each. */
    static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String whose;
    private final boolean untilRun;
    private long lookedNanos;
    private final long timeoutNanos;
    private final NanoClock clock;

    private final Set<Asked> pending = ConcurrentHashMap.newKeySet();

    /** Commands that are in a batch, in the order in which the log will have them. */
    private final Queue<Asked> batched = new ConcurrentLinkedQueue<>();

    private final CommandQueue.Answers answering = AnswerThread.create();

    // Volatile: a thread that adds a command after this was set sees it, and one that sets it sees those added before.
    private volatile boolean ended;

    /** A command that was offered. */
    final class Asked {
        final CommandName type;
        private final CompletableFuture<Answer<Object>> future = new CompletableFuture<>();
        private final long offeredNanos = clock.nanoTime();

        // Volatile: expire() sees it in its next call.
        private volatile boolean stored;

        private Asked(CommandName type) {
            this.type = type;
        }

        /** Called before it is added to the next batch. False if it must not be added, because it has failed. The thread that sends. */
        boolean mayBeSent() {
            boolean pends = pending.contains(this); // the future of one that has failed may complete later
            if (pends && untilRun) {
                batched.add(this);
            }
            return pends;
        }

        /** Called when the log has it: it runs, or is refused for this reason. */
        void stored(@Nullable String refusal) {
            stored = true;
            if (refusal != null) {
                complete(null, new RejectedExecutionException(refusal));
            } else if (!untilRun) {
                complete(null, null);
            }
        }

        /** Completes the future on the answer thread, because its callbacks may block: the command has run, or never will. */
        void complete(@Nullable Answer<?> answer, @Nullable Throwable thrown) {
            answering.execute(() -> {
                if (thrown != null) {
                    future.completeExceptionally(thrown);
                } else {
                    @SuppressWarnings("unchecked") // of the type of its command
                    Answer<Object> value = (Answer<Object>) answer;
                    future.complete(value);
                }
            });
        }

        /** Fails the future, once: its callback may be delayed. */
        private void fail(String why, @Nullable Throwable cause) {
            if (pending.remove(this)) {
                complete(null, unknown(why, cause));
            }
        }
    }

    private static Throwable unknown(String why, @Nullable Throwable cause) {
        Exception thrown = new TimeoutException(
                why + " before the cluster answered: it is not known whether the command ran, or will");
        return cause == null ? thrown : thrown.initCause(cause);
    }

    /** {@code untilRun}: whether a command is answered when it has run on this node, or already when the cluster has it. */
    PendingAnswers(String whose, boolean untilRun, long timeoutNanos, NanoClock clock) {
        this.timeoutNanos = timeoutNanos;
        this.whose = whose;
        this.untilRun = untilRun;
        this.clock = clock;
        lookedNanos = clock.nanoTime();
    }

    /**
     * Offers a command, and returns the future of its answer.
     *
     * @param offer gets the command to be completed; returns false if there is no room
     */
    <T> CompletableFuture<Answer<T>> await(CommandName type, Predicate<Asked> offer) {
        Asked asked = new Asked(type);
        pending.add(asked);
        if (!ended && !offer.test(asked)) {
            asked.future.completeExceptionally(full());
        }
        if (ended) {
            asked.future.completeExceptionally(unknown(whose + " has ended", null));
        }
        @SuppressWarnings("unchecked") // the handler was added for the type of the command
        CompletableFuture<Answer<T>> typed = (CompletableFuture<Answer<T>>)
                (CompletableFuture<?>) asked.future.whenComplete((answer, thrown) -> pending.remove(asked));
        return typed;
    }

    static RejectedExecutionException full() {
        return new RejectedExecutionException("too many requests wait for the cluster; has it a leader?");
    }

    /** The next command of this client was found in the log: it runs, or is refused for this reason. Physics thread. */
    Asked found(@Nullable String refusal) {
        Asked next = batched.remove();
        next.stored(refusal);
        return next;
    }

    /** Fails commands that are not in the log after the timeout, at most a second later. Called often, by one thread. */
    void expire() {
        long nowNanos = clock.nanoTime();
        if (nowNanos - lookedNanos >= LOOK_NANOS) {
            lookedNanos = nowNanos;
            for (Asked asked : pending) {
                if (!asked.stored && nowNanos - asked.offeredNanos > timeoutNanos) {
                    asked.fail(TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms have passed", null);
                }
            }
        }
    }

    void requireOpen() {
        if (ended) {
            throw new IllegalStateException(whose + " has ended");
        }
    }

    /** Fails all commands without an answer, and all later ones. Idempotent. */
    void end(@Nullable Throwable cause) {
        ended = true;
        pending.forEach(asked -> asked.fail(whose + " has ended", cause));
        answering.end();
    }
}
