package dev.escapement.bench.compare;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import dev.escapement.bench.compare.contest.LoadProfile;
import dev.escapement.bench.compare.contest.RefreshCase;
import dev.escapement.bench.compare.contest.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The results under one load for people, as text. */
final class CompareTable {

    static final String LEGEND = """
            error: by how much the picture moved further, or less far, from one frame to the next than the world did, in milliseconds:
            the mean at each pair of rates (100 Hz where nothing is said), then what 99% of the frames do not exceed. Below 0.2 nobody
            sees it, above 2 everybody does. From there on all figures are at 144 fps. frames: displayed in a second. repeats, skips: of
            10,000 frames, those in which the picture stood still or moved twice as far as it should have. behind: how old the picture is
            when it is displayed, ms. speed: simulated over real time. floor: how deep a ball is drawn in it, mm. alike: whether all
            steps are of one length, so that the world does not depend on the frame rate.""";

    private CompareTable() {}

    /** A row per contestant. */
    static String text(List<Result> results, LoadProfile load) {
        List<ColumnData<CompareRow>> columns = new ArrayList<>();
        columns.add(left("row", CompareRow::row));
        columns.add(left(load + " load", CompareRow::contestant));
        for (RefreshCase refresh : RefreshCase.values()) {
            int index = columns.size() - 2;
            columns.add(right(
                    (index == 0 ? "error " : "") + refresh,
                    row -> row.means().get(index).text()));
        }
        columns.add(right("p99 144", row -> row.p99().text()));
        columns.add(right("frames", CompareRow::frames));
        columns.add(right("repeats", CompareRow::repeats));
        columns.add(right("skips", CompareRow::skips));
        columns.add(right("behind", CompareRow::lookBehind));
        columns.add(right("speed", CompareRow::speed));
        columns.add(right("floor", CompareRow::belowFloor));
        columns.add(right("alike", CompareRow::constantStep));
        return AsciiTable.getTable(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS, CompareRow.of(results, load), columns);
    }

    private static ColumnData<CompareRow> left(String header, Function<CompareRow, String> cell) {
        return new Column()
                .header(header)
                .headerAlign(HorizontalAlign.LEFT)
                .dataAlign(HorizontalAlign.LEFT)
                .with(cell);
    }

    private static ColumnData<CompareRow> right(String header, Function<CompareRow, String> cell) {
        return new Column().header(header).dataAlign(HorizontalAlign.RIGHT).with(cell);
    }
}
