package dev.escapement.bench.stress;

/**
 * What readers found.
 *
 * @param windows   windows taken
 * @param checks    windows verified, held ones several times
 * @param torn      snapshots whose checksum was wrong
 * @param gaps      neighbours in a window that were not consecutive ticks
 * @param backwards windows older than the one before
 * @param stale     windows older than a tick that had been published before they were asked for
 * @param attached  times a reader attached
 */
public record Findings(long windows, long checks, long torn, long gaps, long backwards, long stale, long attached) {

    static Findings none() {
        return new Findings(0, 0, 0, 0, 0, 0, 0);
    }

    Findings and(Findings other) {
        return new Findings(
                windows + other.windows,
                checks + other.checks,
                torn + other.torn,
                gaps + other.gaps,
                backwards + other.backwards,
                stale + other.stale,
                attached + other.attached);
    }

    /** Whether all guarantees held. */
    public boolean isClean() {
        return torn == 0 && gaps == 0 && backwards == 0 && stale == 0;
    }
}
