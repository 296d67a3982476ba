package dev.escapement.bench.flood;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.HorizontalAlign;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Two floods side by side, for people. */
final class FloodTable {

    static final String NOTE = """
            a second: what the producers reached. late: arrived after the tick it belonged to, and was told so.
            lost: passed by later ones of its producer. disordered: against the order of time within a tick. misplaced: a wrong
            offset or tick. altered: with other contents. unaccounted: what producers, ring and ticks counted does not add up.""";

    private FloodTable() {}

    private record Row(String name, String ample, String small) {}

    static String text(FloodResult ample, FloodResult small) {
        List<Row> rows = List.of(
                row("ring, events", ample, small, FloodResult::capacity),
                row("offered", ample, small, FloodResult::offered),
                row("a second", ample, small, FloodResult::offeredPerSecond),
                row("accepted", ample, small, result -> result.counts().accepted()),
                row("refused", ample, small, result -> result.counts().rejected()),
                row("arrived", ample, small, FloodResult::arrived),
                row("pending", ample, small, result -> result.counts().pending()),
                row("dropped", ample, small, result -> result.counts().dropped()),
                row("late", ample, small, FloodResult::late),
                row("ticks", ample, small, FloodResult::ticks),
                row("ticks given up", ample, small, FloodResult::givenUp),
                row("most in a tick", ample, small, FloodResult::mostInATick),
                row("lost", ample, small, result -> result.findings().lost()),
                row("doubled", ample, small, result -> result.findings().doubled()),
                row("reordered", ample, small, result -> result.findings().reordered()),
                row("disordered", ample, small, result -> result.findings().disordered()),
                row("misplaced", ample, small, result -> result.findings().misplaced()),
                row("altered", ample, small, result -> result.findings().altered()),
                row("unaccounted", ample, small, result -> result.findings().unaccounted()));
        return AsciiTable.getTable(
                AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS,
                rows,
                List.of(
                        new Column().dataAlign(HorizontalAlign.LEFT).with(Row::name),
                        column("ample ring").with(Row::ample),
                        column("too small a ring").with(Row::small)));
    }

    private static Column column(String header) {
        return new Column().header(header).dataAlign(HorizontalAlign.RIGHT);
    }

    private static Row row(String name, FloodResult ample, FloodResult small, ToDoubleFunction<FloodResult> figure) {
        return new Row(name, number(figure.applyAsDouble(ample)), number(figure.applyAsDouble(small)));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }
}
