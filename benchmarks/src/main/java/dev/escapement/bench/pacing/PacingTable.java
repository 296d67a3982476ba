package dev.escapement.bench.pacing;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.HorizontalAlign;
import java.util.List;
import java.util.Locale;

/** The rounds for people, as text. */
final class PacingTable {

    static final String NOTE = """
            Lateness in microseconds; every figure is the median over the rounds. x park_nanos: the contestant's median lateness
            over that of park_nanos in the same round. core: processor time of the thread that waits and ticks.
            B/tick: what that thread allocated. sleep_rest may tick early, which counts like late. cyclictest counts in whole
            microseconds, from its first tick on; the others leave out a fifth of each turn.""";

    private PacingTable() {}

    private record Row(
            String contestant, String median, String p99, String max, String ratio, String core, String bytes) {}

    /** A row per contestant. */
    static String text(String title, Rounds rounds) {
        List<Row> rows = rounds.contestants().stream()
                .map(contestant -> row(contestant, rounds))
                .toList();
        return AsciiTable.getTable(
                AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS,
                rows,
                List.of(
                        new Column()
                                .header(title)
                                .headerAlign(HorizontalAlign.LEFT)
                                .dataAlign(HorizontalAlign.LEFT)
                                .with(Row::contestant),
                        new Column().header("median").with(Row::median),
                        new Column().header("p99").with(Row::p99),
                        new Column().header("max").with(Row::max),
                        new Column().header("x park_nanos").with(Row::ratio),
                        new Column().header("core").with(Row::core),
                        new Column().header("B/tick").with(Row::bytes)));
    }

    private static Row row(Contestant contestant, Rounds rounds) {
        return new Row(
                contestant.toString(),
                number("%,.1f", rounds.median(contestant, Lateness::medianMicros)),
                number("%,.1f", rounds.median(contestant, Lateness::p99Micros)),
                number("%,.1f", rounds.median(contestant, Lateness::maxMicros)),
                number("%.4f", rounds.ratio(contestant, Contestant.PARK_NANOS)),
                number("%.2f %%", rounds.median(contestant, Lateness::corePercent)),
                number("%,.1f", rounds.median(contestant, Lateness::bytesPerTick)));
    }

    private static String number(String format, double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, format, value);
    }
}
