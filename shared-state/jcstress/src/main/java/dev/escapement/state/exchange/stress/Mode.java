package dev.escapement.state.exchange.stress;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** The thoroughness of a search. Except for the first, the modes are presets of jcstress. */
enum Mode {
    /**
     * Runs one JVM per test, for a fraction of a second. Unlike the preset of this name, which runs a test only a few times, this is enough
     * for the broken words to fail. Uses C2 alone, with the options that let it reorder code as far as possible.
     */
    SANITY(
            Duration.ofMinutes(5),
            "-m quick -time 300 -iters 1 -sc false -pth false -jvmArgs -XX:-TieredCompilation"
                    + " -jvmArgs -XX:+StressLCM -jvmArgs -XX:+StressGCM"),

    /** Runs every test in every combination of interpreter, C1 and C2 that the actors can have, for a second each. */
    QUICK(Duration.ofMinutes(60), "-m quick"),

    /** Runs the combinations of {@link #QUICK} for five seconds each, and five times as many JVMs with randomly moved code. */
    DEFAULT(Duration.ofHours(6), "-m default");

    /** Options for short strides, so that actors meet often: they start a stride together, and then the one with less work runs ahead. */
    private static final String STRIDES = " -strideSize 32 -strideCount 160";

    /** The time after which a run counts as hung. */
    final Duration limit;

    private final String options;

    Mode(Duration limit, String options) {
        this.limit = limit;
        this.options = options;
    }

    List<String> options() {
        return List.of((options + STRIDES).split(" ", -1));
    }

    static Mode named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }
}
