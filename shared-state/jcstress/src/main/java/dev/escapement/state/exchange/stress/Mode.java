package dev.escapement.state.exchange.stress;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** How thoroughly to search. Except for the first, these are jcstress's own presets. */
enum Mode {
    /**
     * One JVM per test and a fraction of a second in it. Unlike the preset of this name, which runs a test only a few times,
     * this is enough for the broken words to fail. C2 alone, with the option to move code as far as it may.
     */
    SANITY(
            Duration.ofMinutes(5),
            "-m quick -time 300 -iters 1 -sc false -pth false -jvmArgs -XX:-TieredCompilation"
                    + " -jvmArgs -XX:+StressLCM -jvmArgs -XX:+StressGCM"),

    /** Every test in every combination of interpreter, C1 and C2 that the actors can have, for a second each. */
    QUICK(Duration.ofMinutes(60), "-m quick"),

    /** The same with five seconds each, and five times as many JVMs with randomly moved code. */
    DEFAULT(Duration.ofHours(6), "-m default");

    /**
     * Short strides, because the actors meet about once in a stride: they start it together, and then the one with less to
     * do runs ahead.
     */
    private static final String STRIDES = " -strideSize 32 -strideCount 160";

    /** A run that takes longer has hung. */
    final Duration limit;

    private final String options;

    Mode(Duration limit, String options) {
        this.limit = limit;
        this.options = options;
    }

    /** The arguments of jcstress. */
    List<String> options() {
        return List.of((options + STRIDES).split(" ", -1));
    }

    static Mode named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }
}
