package dev.escapement.bench.compare;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A contestant under a load, at a pair of rates. */
record Case(Contestant contestant, LoadProfile load, RefreshCase refresh) {

    /** Every contestant, under every load, at every rate. On real threads that takes most of an hour. */
    static List<Case> all() {
        List<Case> cases = new ArrayList<>();
        for (LoadProfile load : LoadProfile.values()) {
            for (RefreshCase refresh : RefreshCase.values()) {
                for (Contestant contestant : Contestant.values()) {
                    cases.add(new Case(contestant, load, refresh));
                }
            }
        }
        return cases;
    }

    /** Those that tell most in two minutes. */
    static List<Case> selection() {
        Set<Contestant> heavy = EnumSet.range(Contestant.NEWEST, Contestant.SERVICE_AHEAD);
        heavy.remove(Contestant.SERVICE_2);
        heavy.add(Contestant.ACCUMULATOR);
        Set<Contestant> others = EnumSet.of(Contestant.BY_ARRIVAL, Contestant.SERVICE_3);
        List<Case> cases = new ArrayList<>();
        for (LoadProfile load : List.of(LoadProfile.HEAVY, LoadProfile.LIGHT, LoadProfile.SPIKY)) {
            for (Contestant contestant : load == LoadProfile.HEAVY ? heavy : others) {
                cases.add(new Case(contestant, load, RefreshCase.FPS_144));
            }
        }
        return cases;
    }
}
