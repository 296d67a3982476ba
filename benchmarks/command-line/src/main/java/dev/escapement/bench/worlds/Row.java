package dev.escapement.bench.worlds;

import dev.escapement.bench.report.Table;
import java.util.Locale;

/**
 * What some worlds got in one way to tick them, and what that took.
 *
 * @param way                   the way
 * @param worlds                how many
 * @param load                  what they had to do
 * @param skippedTicks          how many ticks were due, of all worlds, and did not begin
 * @param latenessMicros        from when a tick was due until it began: the 99th percentile over all ticks of all worlds
 * @param coreSecondsPerSecond  the processor time of the process
 * @param allocatedBytesPerTick what all threads allocated, by ticks that ran; for worlds that rest, by ticks that were due
 */
record Row(
        Way way,
        int worlds,
        Load load,
        long skippedTicks,
        double latenessMicros,
        double coreSecondsPerSecond,
        double allocatedBytesPerTick) {

    static Table<Row> table() {
        return new Table<Row>()
                .left("load", row -> row.load.toString())
                .right("worlds", row -> String.format(Locale.ROOT, "%,d", row.worlds))
                .left("way", row -> row.way.toString())
                .right("skipped ticks", row -> String.format(Locale.ROOT, "%,d", row.skippedTicks))
                .right("late, p99", row -> Table.duration(row.latenessMicros))
                .right("cores", row -> String.format(Locale.ROOT, "%.3f", row.coreSecondsPerSecond))
                .right("bytes a tick", row -> String.format(Locale.ROOT, "%,.1f", row.allocatedBytesPerTick));
    }
}
