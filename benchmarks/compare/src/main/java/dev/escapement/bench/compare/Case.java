package dev.escapement.bench.compare;

import java.util.ArrayList;
import java.util.List;

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
        return all().stream().filter(Case::tellsMuch).toList();
    }

    private boolean tellsMuch() {
        boolean tells = load == LoadProfile.HEAVY
                ? contestant == Contestant.ACCUMULATOR
                        || contestant.hasTwoThreads()
                        || contestant == Contestant.STEP_BESIDE_FRAME
                : contestant == Contestant.SERVICE_3 || contestant == Contestant.BY_ARRIVAL;
        return tells && contestant != Contestant.SERVICE_2 && refresh == RefreshCase.FPS_144;
    }
}
