package dev.escapement.bench.stress.report;

import dev.escapement.bench.stress.gate.Gate;
import org.jspecify.annotations.Nullable;

/**
 * A figure that was held against its limit, as it goes into files.
 *
 * @param scenario its scenario
 * @param figure   its name
 * @param per      what it is divided by
 * @param rounds   how many rounds had it
 * @param ratio    the median of the rounds, null if there was none
 * @param atMost   the limit
 * @param verdict  "within", "above" or "not measured"
 */
record GatedRow(
        String scenario,
        String figure,
        String per,
        int rounds,
        @Nullable Double ratio,
        double atMost,
        String verdict) {

    static GatedRow of(Gate.Verdict verdict) {
        return new GatedRow(
                verdict.limit().scenario(),
                verdict.limit().figure(),
                verdict.limit().per().toString(),
                verdict.rounds(),
                verdict.rounds() == 0 ? null : verdict.median(),
                verdict.limit().atMost(),
                verdict.isPassed() ? "within" : verdict.rounds() == 0 ? "not measured" : "above");
    }
}
