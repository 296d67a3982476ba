package dev.escapement.bench.run;

import dev.escapement.physics.Divergence;
import dev.escapement.state.time.TickRate;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/**
 * What came of running a log again.
 *
 * @param ticks      how many ticks were run again, from the first on
 * @param rate       their rate
 * @param tookNanos  how long that took
 * @param stateHash  the hash of the state after the last of them
 * @param divergence where the state was first another than when it was recorded, empty if it never was
 */
record ReplayResult(long ticks, TickRate rate, long tookNanos, long stateHash, Optional<Divergence> divergence) {

    /** The figures for people. */
    String text() {
        double simulatedSeconds = ticks / rate.inHertz();
        double tookSeconds = tookNanos / 1e9;
        return String.format(
                Locale.ROOT,
                "%,d ticks at %s: %.2f s simulated in %.2f s, %.1f times as fast.%nState hash after tick %d: %s",
                ticks,
                rate,
                simulatedSeconds,
                tookSeconds,
                simulatedSeconds / tookSeconds,
                ticks,
                HexFormat.of().toHexDigits(stateHash));
    }
}
