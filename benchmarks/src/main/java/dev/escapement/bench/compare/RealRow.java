package dev.escapement.bench.compare;

import dev.escapement.bench.compare.CompareRow.Cell;
import dev.escapement.bench.compare.contest.Result;
import dev.escapement.bench.compare.real.RealComparison;
import dev.escapement.bench.compare.real.RealResult;
import dev.escapement.bench.measure.Distribution.Summary;
import java.util.List;
import java.util.Locale;

/**
 * A contestant on real threads, as the table and the page show it: of each error the mean, and what 99% of the frames do not exceed.
 *
 * @param load          the load
 * @param refresh       the rates
 * @param contestant    its name
 * @param slotMean      against the slots frames were meant for
 * @param slotP99       against the slots frames were meant for
 * @param displayMean   against the slots frames were in time for
 * @param displayP99    against the slots frames were in time for
 * @param completeMean  against the end of drawing
 * @param completeP99   against the end of drawing
 * @param missed        slots without a frame
 * @param lookBehind    how far it is behind real time
 * @param escapement    whether it is this project
 */
record RealRow(
        String load,
        String refresh,
        String contestant,
        Cell slotMean,
        Cell slotP99,
        Cell displayMean,
        Cell displayP99,
        Cell completeMean,
        Cell completeP99,
        String missed,
        String lookBehind,
        boolean escapement) {

    static List<RealRow> of(RealComparison comparison) {
        return comparison.results().stream().map(RealRow::of).toList();
    }

    private static RealRow of(RealResult result) {
        Result slot = result.slot();
        return new RealRow(
                slot.load().toString(),
                slot.refresh().toString(),
                slot.contestant().toString(),
                mean(slot.errorMicros()),
                p99(slot.errorMicros()),
                mean(result.displayedErrorMicros()),
                p99(result.displayedErrorMicros()),
                mean(result.completionErrorMicros()),
                p99(result.completionErrorMicros()),
                String.format(Locale.ROOT, "%,d", result.missedSlots()),
                CompareRow.lookBehind(slot),
                slot.contestant().isEscapement());
    }

    private static Cell mean(Summary micros) {
        return Cell.ofMicros(micros.mean());
    }

    private static Cell p99(Summary micros) {
        return Cell.ofMicros(micros.p99());
    }
}
