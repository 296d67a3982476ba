package dev.escapement.state.wire;

/**
 * Bytes per second that several receivers may share: each gets what it wants while the bytes of half a second are left, then equal shares.
 *
 * <p>The thread of the {@link SnapshotSender}.
 */
final class SharedBudget {

    private static final double SECOND_NANOS = 1e9;

    private final double bytesPerSecond;
    private final double maxBytes;
    private double leftBytes;
    private boolean begun;
    private long begunNanos;

    // Receivers that asked in this round, and in recent ones.
    private int asking;
    private int asked = 1;

    SharedBudget(double bytesPerSecond, double maxBytes) {
        this.bytesPerSecond = bytesPerSecond;
        this.maxBytes = maxBytes;
        leftBytes = maxBytes;
    }

    /** Begins a round, in which each receiver asks at most once. */
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

    /** What may be sent now; less than 0 if more was sent than there was. */
    double leftBytes() {
        return leftBytes;
    }

    void take(int bytes) {
        leftBytes -= bytes;
    }
}
