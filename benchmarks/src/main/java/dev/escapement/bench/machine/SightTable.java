package dev.escapement.bench.machine;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import dev.escapement.bench.stress.trial.Figure.Grade;
import java.util.List;
import java.util.function.Function;

/** What was seen, as text within 160 columns. */
final class SightTable {

    private static final int SEEN_WIDTH = 54;
    private static final int MEANS_WIDTH = 70;

    private SightTable() {}

    static String text(List<Sight> sights) {
        return AsciiTable.getTable(
                AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS,
                sights,
                List.of(
                        column("what", 0, Sight::what),
                        column("seen", SEEN_WIDTH, Sight::seen),
                        column(
                                "grade",
                                0,
                                sight -> sight.grade() == Grade.INFO
                                        ? ""
                                        : sight.grade().toString()),
                        column("what to expect, what to change", MEANS_WIDTH, Sight::means)));
    }

    /** All in a sentence. */
    static String verdict(List<Sight> sights) {
        if (has(sights, Grade.POOR)) {
            return "Mend what is poor before you measure anything; promises hold here too, but ticks will be late.";
        }
        return has(sights, Grade.FAIR)
                ? "Usable: 100 Hz should hold; what is fair makes the slowest ticks slower."
                : "As good as a dedicated machine.";
    }

    private static boolean has(List<Sight> sights, Grade grade) {
        return sights.stream().anyMatch(sight -> sight.grade() == grade);
    }

    private static ColumnData<Sight> column(String header, int width, Function<Sight, String> cell) {
        Column column =
                new Column().header(header).headerAlign(HorizontalAlign.LEFT).dataAlign(HorizontalAlign.LEFT);
        return (width == 0 ? column : column.maxWidth(width)).with(cell);
    }
}
