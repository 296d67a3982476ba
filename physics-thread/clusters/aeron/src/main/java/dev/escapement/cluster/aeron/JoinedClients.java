package dev.escapement.cluster.aeron;

import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.input.InputFrame;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Which clients are senders of input, and their numbers. It depends on the log alone, so it is the same on all nodes.
 *
 * <p>A client joins when a batch of it says so, or has the first event. It leaves when it closes its session, or when its session has ended
 * otherwise and no other one of the same client has begun within {@value #RETURN_SECONDS} s. So a client that connects again after the
 * death of a leader stays the same sender. One that has left, and comes back, gets another number.
 *
 * <p>One thread, that of the log.
 */
final class JoinedClients {

    /** At most this many have joined at a time: an input frame has no room for more. */
    static final int MAX = InputFrame.MAX_SENDERS;

    /** The number of a client that cannot join, because too many have. */
    static final int FULL = -1;

    private static final int RETURN_SECONDS = 3;
    private static final long RETURN_NANOS = TimeUnit.SECONDS.toNanos(RETURN_SECONDS);
    private static final long NEVER = Long.MAX_VALUE;

    /** A client, its last session, and when it leaves unless another session begins. */
    private static final class Joined {
        final int number;
        long session;
        long leavesNanos = NEVER;

        Joined(int number, long session) {
            this.number = number;
            this.session = session;
        }
    }

    /** By client, in the order in which they have joined. */
    private final Map<Long, Joined> joined = new LinkedHashMap<>();

    private int lastNumber;

    /** The number of a client; 0 if it has not joined, {@link #FULL} if it cannot. */
    int number(long client) {
        Joined known = joined.get(client);
        return known != null ? known.number : joined.size() < MAX ? 0 : FULL;
    }

    /** A client is heard in a session: earlier ones of it, which have lower numbers, may end. */
    void heard(long client, long session) {
        Joined known = joined.get(client);
        if (known != null && session > known.session) {
            known.session = session;
            known.leavesNanos = NEVER;
        }
    }

    /** Lets a client join, unless it has joined, or cannot. */
    void join(long client, long session) {
        if (number(client) == 0) {
            joined.put(client, new Joined(++lastNumber, session));
        }
    }

    /** A session has ended, at a time of the log. */
    void ended(long session, boolean byClient, long nowNanos) {
        for (Joined one : joined.values()) {
            if (one.session == session) {
                one.leavesNanos = byClient ? nowNanos : nowNanos + RETURN_NANOS;
            }
        }
    }

    /** Takes out the clients that leave by now, and returns when and who. Called at each cut: that they left is input of a tick. */
    List<TickRing.Left> leave(long nowNanos) {
        List<TickRing.Left> left = new ArrayList<>();
        joined.values().removeIf(one -> {
            boolean leaves = one.leavesNanos <= nowNanos;
            return leaves && left.add(new TickRing.Left(one.leavesNanos, one.number));
        });
        return left;
    }

    void save(StateBuffer to) {
        to.put((long) lastNumber).put((long) joined.size());
        joined.forEach((client, one) ->
                to.put(client).put((long) one.number).put(one.session).put(one.leavesNanos));
    }

    void restore(StateBuffer from) {
        lastNumber = (int) from.getLong();
        for (long left = from.getLong(); left > 0; left--) {
            long client = from.getLong();
            Joined one = new Joined((int) from.getLong(), from.getLong());
            one.leavesNanos = from.getLong();
            joined.put(client, one);
        }
    }
}
