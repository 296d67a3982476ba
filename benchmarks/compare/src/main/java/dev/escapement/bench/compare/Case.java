package dev.escapement.bench.compare;

import java.util.List;
import java.util.stream.Stream;

/** One run of the comparison: a contestant under a load, at a tick rate and a display rate. */
record Case(Contestant contestant, LoadProfile load, RefreshCase refresh) {

    /**
     * Returns the runs of every contestant under every load at every pair of rates, with two exceptions. Loads with steps longer than a
     * tick are run only at 144 frames a second, the rate of their tables. Contestants that differ from others only when ticks are late are
     * run only under these loads.
     */
    static List<Case> all() {
        return Stream.of(LoadProfile.values())
                .flatMap(load -> Stream.of(RefreshCase.values())
                        .flatMap(refresh ->
                                Stream.of(Contestant.values()).map(contestant -> new Case(contestant, load, refresh))))
                .filter(Case::isMeasured)
                .toList();
    }

    private boolean isMeasured() {
        return load.hasLongSteps() ? refresh == RefreshCase.FPS_144 : !contestant.isForOverload();
    }
}
