package dev.escapement.bench.compare;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** A table of results, with the loads that it shows. */
enum Profile {
    LIGHT(load -> load == LoadProfile.LIGHT),
    HEAVY(load -> load == LoadProfile.HEAVY),
    /** Loads whose steps take longer than a tick, always or for some time. */
    OVERLOAD(LoadProfile::isOverload),
    /** Loads with single steps that take longer than a tick, while the average step fits. */
    UNEVEN(load -> load.isUneven() && !load.hasBursts()),
    /** Loads with several long steps in a row, while the average step fits. */
    BURSTS(LoadProfile::hasBursts);

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final Predicate<LoadProfile> includes;

    Profile(Predicate<LoadProfile> includes) {
        this.includes = includes;
    }

    List<LoadProfile> loads() {
        return Arrays.stream(LoadProfile.values()).filter(includes).toList();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
