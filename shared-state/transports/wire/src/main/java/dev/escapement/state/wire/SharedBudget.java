package dev.escapement.state.wire;

/**
 * A budget of bytes per second that several receivers may share. Each receiver gets all that it asks for while the bytes of half a second
 * are left, and then an equal share.
 *
 * <p>Used by the thread of the {@link SnapshotSender}.
 */
final class SharedBudget {

    private static final double SECOND_NANOS = 1e9;

    private final double bytesPerSecond;
    private final double maxBytes;
    private double leftBytes;
    private boolean begun;
    private long begunNanos;

    // The number of receivers that asked for a share in this round, and its recent maximum, which falls by one a round.
    private int asking;
    private int asked = 1;

    SharedBudget(double bytesPerSecond, double maxBytes) {
        this.bytesPerSecond = bytesPerSecond;
        this.maxBytes = maxBytes;
        leftBytes = maxBytes;
    }

    /** Begins a round, in which each receiver asks for a share at most once. */
    void begin(long nowNanos) {
        if (begun) {
            leftBytes = Math.min(maxBytes, leftBytes + bytesPerSecond * (nowNanos - begunNanos) / SECOND_NANOS);
        }
        begun = true;
        begunNanos = nowNanos;
        asked = Math.max(1, Math.max(asking, asked - 1));
        asking = 0;
    }

    double share(double wantedBytesPerSecond) {
        asking++;
        return leftBytes < bytesPerSecond / 2
                ? Math.min(wantedBytesPerSecond, bytesPerSecond / asked)
                : wantedBytesPerSecond;
    }

    /** Returns the bytes that may be sent now; negative if more bytes were sent than the budget had. */
    double leftBytes() {
        return leftBytes;
    }

    void take(int bytes) {
        leftBytes -= bytes;
    }
}
