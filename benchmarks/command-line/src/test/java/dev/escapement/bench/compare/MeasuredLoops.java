package dev.escapement.bench.compare;

import com.google.gson.JsonObject;
import dev.escapement.bench.report.JsonFile;
import java.util.List;

/** Opens the results of {@code compare}, measured on all cores at once, to tests of other packages. */
public final class MeasuredLoops {

    private MeasuredLoops() {}

    /** Returns the tree of compare.json, with the cases of {@link #isMeasured}. */
    public static JsonObject json() {
        List<Result> results = Case.all().parallelStream()
                .filter(MeasuredLoops::isMeasured)
                .map(VirtualContest::measure)
                .toList();
        return JsonFile.tree(new CompareCommand.Json(results)).getAsJsonObject();
    }

    /** Keeps one case of the contestant that tries 21 delays in each. */
    private static boolean isMeasured(Case run) {
        return run.contestant() != Contestant.TWO_BY_DUE
                || (run.load() == LoadProfile.HEAVY && run.refresh() == RefreshCase.FPS_144);
    }
}
