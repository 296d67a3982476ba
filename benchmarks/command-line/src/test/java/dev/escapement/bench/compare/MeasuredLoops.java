package dev.escapement.bench.compare;

import com.google.gson.JsonObject;
import dev.escapement.bench.report.JsonFile;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Opens the results of {@code compare}, measured on all cores at once, to tests of other packages. */
public final class MeasuredLoops {

    /** Every third display is measured: all of them take twice as long as the cases. */
    private static final int DISPLAY_STRIDE = 3;

    private MeasuredLoops() {}

    /** Returns the tree of compare.json, with a share of the displays and the cases of {@link #isMeasured}. */
    public static JsonObject json() {
        List<Result> results = Case.all().parallelStream()
                .filter(MeasuredLoops::isMeasured)
                .map(VirtualContest::measure)
                .toList();
        List<DisplayCase> displays = Stream.concat(DisplayCase.regular().stream(), DisplayCase.irregular().stream())
                .toList();
        List<DisplayTable.Row> rows = IntStream.range(0, displays.size())
                .parallel()
                .filter(i -> i % DISPLAY_STRIDE == 0)
                .mapToObj(i -> DisplayTable.Row.of(DisplayContest.measure(displays.get(i))))
                .toList();
        return JsonFile.tree(new CompareCommand.Json(results, rows)).getAsJsonObject();
    }

    /** Keeps one case of the contestant that tries 21 delays in each. */
    private static boolean isMeasured(Case run) {
        return run.contestant() != Contestant.TWO_BY_DUE
                || (run.load() == LoadProfile.HEAVY && run.refresh() == RefreshCase.FPS_144);
    }
}
