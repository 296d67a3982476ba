package dev.escapement.bench.compare;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** The loads that one table has. */
enum Profile {
    /** Steps that take next to nothing. */
    LIGHT(load -> load == LoadProfile.LIGHT),
    /** Steps that take much, and never the same. */
    HEAVY(load -> load == LoadProfile.HEAVY),
    /** Steps that take longer than a tick, always or for a while. */
    OVERLOAD(LoadProfile::isOverload),
    /** Steps of which some take longer than a tick, and which fit on average. */
    UNEVEN(LoadProfile::isUneven);

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
