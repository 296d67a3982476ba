package dev.escapement.bench.stress.report;

import dev.escapement.bench.stress.gate.Gate;
import dev.escapement.bench.stress.trial.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that was found, under the names of the JSON file's keys.
 *
 * @param java      the virtual machine
 * @param cores     how many it sees
 * @param held      scenarios that kept all promises
 * @param broken    those that did not
 * @param skipped   those of which nothing is known
 * @param scenarios in the order in which they ran
 * @param gate      figures and their limits, empty if there were none
 */
record StressFile(
        String java, int cores, long held, long broken, long skipped, List<Outcome> scenarios, List<GatedRow> gate) {

    /**
     * A figure and its limit.
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

    static StressFile of(List<Outcome> outcomes, List<GatedRow> gate) {
        return new StressFile(
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                Outcome.count(outcomes, Outcome.Verdict.HELD),
                Outcome.count(outcomes, Outcome.Verdict.BROKEN),
                Outcome.count(outcomes, Outcome.Verdict.SKIPPED),
                outcomes,
                gate);
    }
}
