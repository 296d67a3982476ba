package dev.escapement.bench.compare;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import dev.escapement.bench.compare.real.RealComparison;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The results on real threads for people, as text. */
final class RealTable {

    private RealTable() {}

    static String text(RealComparison comparison) {
        List<ColumnData<RealRow>> columns = List.of(
                left("load", RealRow::load),
                left("rates", RealRow::refresh),
                left("real threads", RealRow::contestant),
                right("error slot", row -> row.slotMean().text()),
                right("p99", row -> row.slotP99().text()),
                right("displayed", row -> row.displayMean().text()),
                right("p99", row -> row.displayP99().text()),
                right("completed", row -> row.completeMean().text()),
                right("p99", row -> row.completeP99().text()),
                right("missed", RealRow::missed),
                right("behind", RealRow::lookBehind));
        return AsciiTable.getTable(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS, RealRow.of(comparison), columns);
    }

    static String legend(RealComparison comparison) {
        return String.format(
                Locale.ROOT,
                """
                With %s in the scene, for %d s each after %d s of warm-up; steps work as long as the load says, or as the crowd needs. error slot: by the
                slots that frames were meant for; displayed: by those they were in time for; completed: by when they were complete, with all the
                jitter of the operating system in it. A picture that is right by construction has %.3f there (p99 %.3f). missed: slots without a
                frame, because the one before took too long.""",
                comparison.crowd(),
                comparison.measuredSeconds(),
                comparison.warmUpSeconds(),
                comparison.analyticCompletionMicros().mean() / 1e3,
                comparison.analyticCompletionMicros().p99() / 1e3);
    }

    private static ColumnData<RealRow> left(String header, Function<RealRow, String> cell) {
        return new Column()
                .header(header)
                .headerAlign(HorizontalAlign.LEFT)
                .dataAlign(HorizontalAlign.LEFT)
                .with(cell);
    }

    private static ColumnData<RealRow> right(String header, Function<RealRow, String> cell) {
        return new Column().header(header).dataAlign(HorizontalAlign.RIGHT).with(cell);
    }
}
