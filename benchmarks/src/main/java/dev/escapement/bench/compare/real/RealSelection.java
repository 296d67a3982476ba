package dev.escapement.bench.compare.real;

import dev.escapement.bench.compare.contest.Contestant;
import dev.escapement.bench.compare.contest.LoadProfile;
import dev.escapement.bench.compare.contest.RefreshCase;
import java.util.ArrayList;
import java.util.List;

/**
 * Who runs on real threads: everybody everywhere takes most of an hour.
 *
 * @param contestant who
 * @param load       under which load
 * @param refresh    at which rates
 */
public record RealSelection(Contestant contestant, LoadProfile load, RefreshCase refresh) {

    private static final RefreshCase USUAL = RefreshCase.FPS_144;

    /** What tells the most in two minutes. */
    public static List<RealSelection> usual() {
        List<RealSelection> selection = new ArrayList<>();
        for (Contestant contestant : List.of(
                Contestant.ACCUMULATOR,
                Contestant.NEWEST,
                Contestant.BY_ARRIVAL,
                Contestant.TWO_BY_DUE,
                Contestant.FRAME_QUEUE,
                Contestant.LOCK_AND_COPY,
                Contestant.STEP_BESIDE_FRAME,
                Contestant.SERVICE_3)) {
            selection.add(new RealSelection(contestant, LoadProfile.HEAVY, USUAL));
        }
        for (LoadProfile load : List.of(LoadProfile.LIGHT, LoadProfile.SPIKY)) {
            selection.add(new RealSelection(Contestant.BY_ARRIVAL, load, USUAL));
            selection.add(new RealSelection(Contestant.SERVICE_3, load, USUAL));
        }
        return selection;
    }

    /** Everybody, everywhere. */
    public static List<RealSelection> full() {
        List<RealSelection> selection = new ArrayList<>();
        for (LoadProfile load : LoadProfile.values()) {
            for (RefreshCase refresh : RefreshCase.values()) {
                for (Contestant contestant : Contestant.values()) {
                    selection.add(new RealSelection(contestant, load, refresh));
                }
            }
        }
        return selection;
    }
}
