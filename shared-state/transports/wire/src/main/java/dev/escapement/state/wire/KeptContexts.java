package dev.escapement.state.wire;

import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;

/**
 * Keeps a coder's contexts, its adaptive probabilities, as they were after one packet of each recent tick.
 *
 * <p>Later packets begin with these contexts. Both sides keep the contexts after the first packet of a tick. A refresh of a tick may
 * replace them, but no later packet begins with the contexts of that tick.
 *
 * <p>One thread.
 */
final class KeptContexts {

    private final int[][] contexts = new int[SnapshotEncoder.TICKS][];
    private final long[] ticks = new long[SnapshotEncoder.TICKS];

    KeptContexts() {
        forget();
    }

    void forget() {
        Arrays.fill(ticks, Snapshot.NEVER_WRITTEN);
    }

    private static int at(long tick) {
        return (int) tick & (SnapshotEncoder.TICKS - 1);
    }

    boolean has(long tick) {
        return ticks[at(tick)] == tick;
    }

    void keep(long tick, BitCoder coder) {
        int at = at(tick);
        if (contexts[at] == null) {
            contexts[at] = new int[coder.contexts.length];
        }
        System.arraycopy(coder.contexts, 0, contexts[at], 0, coder.contexts.length);
        ticks[at] = tick;
    }

    /** Loads into a coder the contexts that a packet's header names: an earlier tick's contexts, or none. */
    void begin(PacketHeader header, BitCoder coder) {
        if (header.contextsAge == 0) {
            coder.forget();
        } else {
            int[] kept = contexts[at(header.tick - header.contextsAge)];
            System.arraycopy(kept, 0, coder.contexts, 0, kept.length);
        }
    }
}
