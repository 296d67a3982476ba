package dev.escapement.bench.stress.report;

import dev.escapement.bench.stress.trial.Outcome;
import java.util.List;

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
