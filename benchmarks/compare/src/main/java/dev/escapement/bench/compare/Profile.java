package dev.escapement.bench.compare;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** The loads of one table. */
enum Profile {
    LIGHT(load -> load == LoadProfile.LIGHT),
    HEAVY(load -> load == LoadProfile.HEAVY),
    /** Steps that take longer than a tick, always or for a while. */
    OVERLOAD(LoadProfile::isOverload),
    /** Steps that sometimes take longer than a tick, and fit on average. */
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
