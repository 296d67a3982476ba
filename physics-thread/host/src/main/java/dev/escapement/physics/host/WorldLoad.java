package dev.escapement.physics.host;

/**
 * How one world of a host uses its threads.
 *
 * @param name            the name of its service
 * @param utilisation     the share of one core that it needs at its rate, by the cost of its last turns; above 1 if one thread is not enough
 * @param slackNanos      how long before the next tick is due its turns end, on average of the last ones; negative if after that
 * @param missedDeadlines how many turns since the start ended after the next tick was due
 * @param isOverBudget    whether it needs more than its part of the cores: then it gets slower; if its turns are longer than half a
 *                        millisecond, all others go first, and such worlds never have all threads
 * @see PhysicsHost#loads()
 */
public record WorldLoad(String name, double utilisation, long slackNanos, long missedDeadlines, boolean isOverBudget) {}
