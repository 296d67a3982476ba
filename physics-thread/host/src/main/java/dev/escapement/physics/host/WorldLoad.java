package dev.escapement.physics.host;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The load that one world puts on the threads of its host.
 *
 * @param name            the name of the world's service
 * @param utilisation     the share of one core that the world needs at its rate, by the cost of its last slices; above 1 if one thread is
 *                        not enough
 * @param slackNanos      the time from the end of a slice to the next due time, averaged over the last slices; negative if slices end too
 *                        late
 * @param missedDeadlines the number of slices since the start that ended after the next tick was due
 * @param isOverBudget    whether the world needs more than its part of the cores, and so gets slower; if it needs more than a quarter of a
 *                        core, all other worlds go first, and such worlds never have all threads
 * @see PhysicsHost#loads()
 */
public record WorldLoad(String name, double utilisation, long slackNanos, long missedDeadlines, boolean isOverBudget) {

    private static final double PERCENT = 100;
    private static final double NANOS_PER_MILLI = 1e6;

    /**
     * Converts loads to a table, for example for the list of worlds of a live page.
     *
     * @param loads the loads of {@link PhysicsHost#loads()}
     * @return for each world's name, in the order of the loads, its numbers by column title with unit
     */
    public static Map<String, Map<String, Number>> table(List<WorldLoad> loads) {
        Map<String, Map<String, Number>> table = new LinkedHashMap<>();
        loads.forEach(load -> table.put(load.name, load.numbers()));
        return table;
    }

    private Map<String, Number> numbers() {
        Map<String, Number> numbers = new LinkedHashMap<>();
        numbers.put("% of a core", PERCENT * utilisation);
        numbers.put("slack (ms)", slackNanos / NANOS_PER_MILLI);
        numbers.put("missed deadlines", missedDeadlines);
        numbers.put("over budget", isOverBudget ? 1 : 0);
        return numbers;
    }
}
