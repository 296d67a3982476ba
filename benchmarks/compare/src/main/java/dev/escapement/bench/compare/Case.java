package dev.escapement.bench.compare;

import java.util.List;
import java.util.stream.Stream;

/** A contestant under a load, at a pair of rates. */
record Case(Contestant contestant, LoadProfile load, RefreshCase refresh) {

    /**
     * Returns every contestant under every load at every rate, with two exceptions. Contestants that differ from others only if steps take
     * longer than ticks appear only under such loads. These loads appear only at the display rate at which a table shows them.
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
