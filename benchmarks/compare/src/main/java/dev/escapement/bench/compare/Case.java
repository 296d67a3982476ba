package dev.escapement.bench.compare;

import java.util.ArrayList;
import java.util.List;

/** A contestant under a load, at a pair of rates. */
record Case(Contestant contestant, LoadProfile load, RefreshCase refresh) {

    /** Every contestant, under every load, at every rate. */
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
}
