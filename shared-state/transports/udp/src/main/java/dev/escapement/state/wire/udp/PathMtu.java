package dev.escapement.state.wire.udp;

import dev.escapement.state.wire.SenderSession;
import java.util.concurrent.TimeUnit;

/**
 * How many bytes packets to one address may have, before their seal: as many as one had that arrived there.
 *
 * <p>It begins with what passes any path, and searches for more with probes: packets that carry nothing, so that nothing is lost with them.
 * The largest size comes first, because most paths pass it; then sizes halfway between one that arrived and one that did not. It begins again
 * when large packets no longer arrive (a black hole), and searches again now and then, because a path may become wider. See RFC 8899.
 *
 * <p>Nothing else changes it. What the network reports (ICMP) may be forged.
 *
 * <p>One thread.
 */
final class PathMtu {

    private static final int MIN_BYTES = SenderSession.MIN_ROOM_BYTES;
    private static final int MAX_BYTES = Protocol.MAX_PLAIN_BYTES;

    /** The search ends when it knows the size so closely. */
    private static final int CLOSE_BYTES = 16;

    /** A size whose probe was lost this many times does not pass. Fewer may be lost by chance. */
    private static final int MAX_PROBES = 3;

    private static final long PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long SEARCH_NANOS = TimeUnit.MINUTES.toNanos(10);

    /** A black hole is found after twice to three times this long; most ticks from before it are bases still. */
    private static final long MIN_ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** Not more, because probes may be lost before the one that is answered. */
    private static final long MAX_ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

    private int bytes;
    private byte search;
    private boolean hasProbed;

    /** The least that did not arrive. */
    private int tooManyBytes;

    private int probeBytes;

    /** How many probes of this size were sent, and when the first, the last and the next. */
    private int probes;

    private long firstNanos;
    private long lastNanos;
    private long nextNanos;

    private long answerNanos;

    /** Begins to search: there is another path. */
    void begin(long nowNanos) {
        bytes = MIN_BYTES;
        tooManyBytes = MAX_BYTES + 1;
        search++;
        probes = 0;
        // A path that changes again and again gets no more probes.
        nextNanos = hasProbed && lastNanos + PROBE_NANOS - nowNanos > 0 ? lastNanos + PROBE_NANOS : nowNanos;
        answerNanos = MIN_ANSWER_NANOS;
    }

    int bytes() {
        return bytes;
    }

    /** The number of the search, which probes and their answers carry. */
    byte search() {
        return search;
    }

    /** How long an answer from there may take. */
    long answerNanos() {
        return answerNanos;
    }

    /**
     * Returns how many bytes a probe should have that is sent now; 0 for none.
     *
     * @param heardNanos  when the last packet came from there
     * @param isBlackHole whether large packets do not arrive; if that is by chance, the first probe shows it
     */
    int probe(long nowNanos, long heardNanos, boolean isBlackHole) {
        if (isBlackHole) {
            begin(nowNanos);
        }
        if (bytes == MAX_BYTES || nowNanos - nextNanos < 0) {
            return 0;
        }
        if (probes > 0 && heardNanos - lastNanos < 0) {
            probes--; // all is lost, of any size
        } else if (probes == MAX_PROBES) {
            tooManyBytes = probeBytes;
            probes = 0;
            if (tooManyBytes - bytes <= CLOSE_BYTES) {
                tooManyBytes = MAX_BYTES + 1;
                nextNanos = nowNanos + SEARCH_NANOS;
                return 0;
            }
        }
        probeBytes = tooManyBytes > MAX_BYTES ? MAX_BYTES : (bytes + tooManyBytes) / 2;
        firstNanos = probes == 0 ? nowNanos : firstNanos;
        lastNanos = nowNanos;
        hasProbed = true;
        nextNanos = nowNanos + PROBE_NANOS;
        probes++;
        return probeBytes;
    }

    /** Notes that a probe of this many bytes has arrived. Ignores sizes that are not probed now. */
    void probed(int arrivedBytes, long nowNanos) {
        if (probes > 0 && arrivedBytes == probeBytes) {
            bytes = arrivedBytes;
            probes = 0;
            // At least two round trips.
            answerNanos = Math.max(MIN_ANSWER_NANOS, Math.min(MAX_ANSWER_NANOS, 2 * (nowNanos - firstNanos)));
            boolean isClose = tooManyBytes - bytes <= CLOSE_BYTES;
            tooManyBytes = isClose ? MAX_BYTES + 1 : tooManyBytes;
            nextNanos = nowNanos + (isClose ? SEARCH_NANOS : 0);
        }
    }
}
