package dev.escapement.cluster.aeron;

import io.aeron.exceptions.AeronException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the first error of those that have led to the end of a node: what follows from it says less.
 *
 * <p>Any thread.
 */
final class Troubles {

    /** What is older has not led to it. */
    static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private record Trouble(Throwable error, long nanos) {
        boolean isRecent(long nowNanos) {
            return nowNanos - nanos < RECENT_NANOS;
        }
    }

    // Volatile accesses: who sees the error sees all of it.
    private final AtomicReference<@Nullable Trouble> first = new AtomicReference<>();

    /** Aeron's warnings end nothing. */
    void note(Throwable error, long nowNanos) {
        if (!(error instanceof AeronException ofAeron) || ofAeron.category() != AeronException.Category.WARN) {
            first.updateAndGet(
                    known -> known != null && known.isRecent(nowNanos) ? known : new Trouble(error, nowNanos));
        }
    }

    /** Why a node has ended. */
    Throwable first(long nowNanos) {
        Trouble known = first.get();
        return known != null && known.isRecent(nowNanos)
                ? known.error
                : new IllegalStateException("the node has left the cluster");
    }
}
