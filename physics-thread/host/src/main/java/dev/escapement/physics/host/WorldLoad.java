package dev.escapement.physics.host;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How one world of a host uses its threads.
 *
 * @param name            the name of its service
 * @param utilisation     the share of one core that it needs at its rate, by the cost of its last slices; above 1 if one thread is not
 *                        enough
 * @param slackNanos      how long before the next tick is due its slices end, on average of the last ones; negative if after that
 * @param missedDeadlines how many slices since the start ended after the next tick was due
 * @param isOverBudget    whether it needs more than its part of the cores: then it gets slower; if it needs a quarter of a core, all
 *                        others go first, and such worlds never have all threads
 * @see PhysicsHost#loads()
 */
public record WorldLoad(String name, double utilisation, long slackNanos, long missedDeadlines, boolean isOverBudget) {

    private static final double PERCENT = 100;
    private static final double NANOS_PER_MILLI = 1e6;

    /**
     * Makes a table of loads, for example for the list of worlds of a live page.
     *
     * @param loads of {@link PhysicsHost#loads()}
     * @return numbers by the title of their column, with its unit, by the name of the world; in the order of the loads
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
