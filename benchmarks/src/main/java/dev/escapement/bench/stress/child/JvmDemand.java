package dev.escapement.bench.stress.child;

import dev.escapement.bench.stress.trial.SkippedException;
import java.util.List;

/** What a JVM has to have for a scenario to mean what it says. */
public interface JvmDemand {

    /** A JVM of its own is all that is needed. */
    JvmDemand NONE = new JvmDemand() {
        @Override
        public boolean isMetBy(JvmFacts child) {
            return true;
        }

        @Override
        public String toString() {
            return "any JVM";
        }
    };

    /**
     * The command that starts the JVM's, if any.
     *
     * @throws SkippedException if this platform has none
     */
    default List<String> launcher() throws SkippedException {
        return List.of();
    }

    /** The JVM's flags. */
    default List<String> flags() {
        return List.of();
    }

    /** Whether the JVM really has it, by its own word. */
    boolean isMetBy(JvmFacts child);

    /** What is needed, in a few words. */
    @Override
    String toString();
}
